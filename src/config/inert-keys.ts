/** Keys whose feature this version does not have: taken and checked, and never without a warning. */
export const INERT_KEYS = ['rules.challenger_dir'] as const;
