/*
 * One setter an option: takes the word, fills the policy or refuses. Only the
 * option table calls these.
 */
#ifndef CORDON_POLICY_APPLY_H
#define CORDON_POLICY_APPLY_H

struct policy;

void apply_read(struct policy *policy, const char *value);
void apply_read_try(struct policy *policy, const char *value);
void apply_write(struct policy *policy, const char *value);
void apply_write_try(struct policy *policy, const char *value);
void apply_overlay(struct policy *policy, const char *value);
void apply_overlay_try(struct policy *policy, const char *value);
void apply_mask(struct policy *policy, const char *value);
void apply_protect(struct policy *policy, const char *value);
void apply_unmask(struct policy *policy, const char *value);
void apply_unprotect(struct policy *policy, const char *value);
void apply_allow_hard_links(struct policy *policy, const char *value);
void apply_tmpfs(struct policy *policy, const char *value);
void apply_device(struct policy *policy, const char *value);
void apply_root(struct policy *policy, const char *value);
void apply_no_system(struct policy *policy, const char *value);
void apply_tmp(struct policy *policy, const char *value);
void apply_home(struct policy *policy, const char *value);
void apply_cwd(struct policy *policy, const char *value);
void apply_net(struct policy *policy, const char *value);
void apply_allow_abstract(struct policy *policy, const char *value);
void apply_env(struct policy *policy, const char *value);
void apply_unset_env(struct policy *policy, const char *value);
void apply_clear_env(struct policy *policy, const char *value);
void apply_seccomp(struct policy *policy, const char *value);
void apply_nested(struct policy *policy, const char *value);
void apply_proc(struct policy *policy, const char *value);
void apply_limit(struct policy *policy, const char *value);
void apply_timeout(struct policy *policy, const char *value);
void apply_hostname(struct policy *policy, const char *value);
void apply_uid(struct policy *policy, const char *value);
void apply_gid(struct policy *policy, const char *value);
void apply_keep_fd(struct policy *policy, const char *value);
void apply_profile(struct policy *policy, const char *value);
void apply_within(struct policy *policy, const char *value);
void apply_args(struct policy *policy, const char *value);
void apply_status_fd(struct policy *policy, const char *value);
void apply_id(struct policy *policy, const char *value);
void apply_report(struct policy *policy, const char *value);
void apply_fail_on(struct policy *policy, const char *value);
void apply_verbose(struct policy *policy, const char *value);
void apply_quiet(struct policy *policy, const char *value);
void apply_ops(struct policy *policy, const char *value);
void apply_json(struct policy *policy, const char *value);
void apply_sets(struct policy *policy, const char *value);
void apply_later(struct policy *policy, const char *value);

#endif
