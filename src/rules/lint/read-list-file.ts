import { readAddress } from '../../email/read-address.ts';
import { listKey } from '../../provider-kit/index.ts';
import type { DatedListEntry } from '../definitions.ts';
import type { ProblemList } from '../problem.ts';
import type { Located } from '../yaml-document.ts';
import { openMap } from './fields.ts';

const ENTRY = { what: 'an entry', required: ['value', 'reason', 'owner'], optional: ['expires'] };
/** `allow.yaml` or `deny.yaml`; a file with nothing but comments is an empty list. */
export function readListFile(value: Located, problems: ProblemList): readonly DatedListEntry[] {
  if (value.kind === 'scalar' && value.value === null) return [];
  if (value.kind !== 'list') {
    problems.report('wrong_shape', value.place, 'a list of { value, reason, owner, expires } stands here');
    return [];
  }
  return value.items.flatMap((item) => readEntry(item, problems) ?? []);
}

function readEntry(item: Located, problems: ProblemList): DatedListEntry | undefined {
  const fields = openMap(item, ENTRY, problems);
  if (!fields) return undefined;
  const value = fields.text('value');
  const reason = fields.text('reason');
  const owner = fields.text('owner');
  const expires = fields.expiry('expires');
  const place = fields.placeOf('value');
  if (value !== undefined && !isListValue(value)) {
    const hint = value.startsWith('*.') && isListValue(value.slice(1)) ? value.slice(1) : undefined;
    problems.report('bad_list_value', place, `"${value}" is none of user@x.org, x.org and .x.org`, hint);
    return undefined;
  }
  if (value === undefined || reason === undefined || owner === undefined) return undefined;
  return { value, reason, owner, expires, place };
}

/** Any other would stand there and never fit an address: a wildcard, a part of a URL, a name that is read as an IP address. */
function isListValue(value: string): boolean {
  if (value.includes('@')) return readAddress(value).ok;
  const isSuffix = value.startsWith('.');
  const name = isSuffix ? value.slice(1) : value;
  const reading = readAddress(`x@${name}`);
  return (isSuffix || name.includes('.')) && reading.ok && reading.address.domain === listKey(name);
}
