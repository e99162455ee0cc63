// SPDX-License-Identifier: GPL-3.0-or-later
// Empty hooks for -finstrument-functions: the least that any tool built on them can cost.
void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

void __cyg_profile_func_enter(void *function, void *site)
{
  (void)function;
  (void)site;
}

void __cyg_profile_func_exit(void *function, void *site)
{
  (void)function;
  (void)site;
}
