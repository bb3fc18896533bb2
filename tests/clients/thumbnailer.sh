#!/usr/bin/env bash
# usage: thumbnailer.sh
#
# GNOME's thumbnails (Debian's gir1.2-gnomedesktop-3.0, python3-gi and
# libgdk-pixbuf2.0-bin) with cordon as its bwrap: a picture made here.
. "$(dirname "$0")/common.sh"
need /usr/bin/python3 gdk-pixbuf-thumbnailer strace
/usr/bin/python3 -c 'import gi; gi.require_version("GnomeDesktop", "3.0")' 2>/dev/null ||
	skip "not found: gir1.2-gnomedesktop-3.0 and python3-gi"
make_work
cd project || exit 1

# A PNG of one colour, 300 by 300.
/usr/bin/python3 - >picture.png <<'END'
import struct, sys, zlib
def chunk(name, data):
    crc = zlib.crc32(name + data)
    return struct.pack('>I', len(data)) + name + data + struct.pack('>I', crc)
rows = (b'\0' + b'\x80\x20\x20' * 300) * 300
sys.stdout.buffer.write(
    b'\x89PNG\r\n\x1a\n' +
    chunk(b'IHDR', struct.pack('>IIBBBBB', 300, 300, 8, 2, 0, 0, 0)) +
    chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))
END
cat >thumbnail.py <<'END'
import gi, sys
gi.require_version('GnomeDesktop', '3.0')
from gi.repository import Gio, GnomeDesktop
factory = GnomeDesktop.DesktopThumbnailFactory.new(
    GnomeDesktop.DesktopThumbnailSize.NORMAL)
uri = Gio.File.new_for_path(sys.argv[1]).get_uri()
picture = factory.generate_thumbnail(uri, 'image/png', None)
print('thumbnail', picture.get_width() if picture else 'none')
END

thumbnail() {
	strace -f -e trace=execve -o "$work/trace" /usr/bin/python3 thumbnail.py "$1"
}

expect 'a thumbnail is made' 0 '^thumbnail 128$' thumbnail "$PWD/picture.png"
ran_ours "$work/trace"
echo 'no picture' >broken.png
expect 'and none of what is no picture' 1 'exited with code 1' \
	thumbnail "$PWD/broken.png"
finish
