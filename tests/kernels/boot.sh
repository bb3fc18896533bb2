# shellcheck shell=sh
# The guest's machine: file systems, two users, a delegated cgroup.
/bin/busybox --install -s /usr/bin
export PATH=/usr/bin:/bin
ln -s /bin/busybox /bin/sh
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
printf 'root:x:0:0::/root:/bin/sh\nu:x:1000:1000::/home/u:/bin/sh\n' >/etc/passwd
printf 'root:x:0:\nu:x:1000:\n' >/etc/group
echo '127.0.0.1 localhost' >/etc/hosts
chmod 1777 /tmp
chown 1000:1000 /home/u
mount -t cgroup2 none /sys/fs/cgroup
echo '+pids +memory +cpu' >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/u /sys/fs/cgroup/u/session
echo '+pids +memory +cpu' >/sys/fs/cgroup/u/cgroup.subtree_control
chown -R 1000:1000 /sys/fs/cgroup/u
echo $$ >/sys/fs/cgroup/u/session/cgroup.procs
su u -c 'cd && sh /guest.sh user'
echo $$ >/sys/fs/cgroup/cgroup.procs
cd /root && sh /guest.sh root
echo 'the end'
poweroff -f
