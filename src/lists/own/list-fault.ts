/** A list of the operator's own that has mistakes, or would have. The message says which, a line each. */
export class ListFault extends Error {
  override readonly name = 'ListFault';
  readonly faults: readonly string[];

  constructor(complaint: string, faults: readonly string[]) {
    super([complaint, ...faults].join('\n'));
    this.faults = faults;
  }
}
