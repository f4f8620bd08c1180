/** Rules are judged by the checks of all accounts, so a check to look at may be of another than the one in view. */
export function checkOfAnyAccount(id: string): string {
  return `/checks/${id}?scope=all`;
}
