import type { DnsAnswer, MxRecord } from '../provider-kit/index.ts';

/** The outcomes of a look-up that found nothing out. */
export type DnsFailure = Exclude<DnsAnswer<never>['outcome'], 'found' | 'nxdomain' | 'nodata'>;

/**
 * What c-ares' codes come to, as seen on a real server. ENOTFOUND is NXDOMAIN, ENODATA is NODATA, and a name that
 * DNS cannot hold (EBADNAME: an empty label, a label over 63 octets) does not exist. EREFUSED is the server's own
 * REFUSED; ECONNREFUSED means that no server listens there, which is our fault and so an `error`.
 * https://nodejs.org/api/dns.html#error-codes
 */
const BY_CODE: Readonly<Record<string, 'nxdomain' | 'nodata' | DnsFailure>> = {
  ENOTFOUND: 'nxdomain',
  EBADNAME: 'nxdomain',
  ENODATA: 'nodata',
  ETIMEOUT: 'timeout',
  ECANCELLED: 'timeout',
  ESERVFAIL: 'servfail',
  EREFUSED: 'refused',
  EBADRESP: 'malformed',
};

export function outcomeOfCode(error: unknown): 'nxdomain' | 'nodata' | DnsFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return BY_CODE[code] ?? 'error';
}

/** `found`, or `nodata` when a well-formed answer held no record of the type (a CNAME that leads nowhere). */
export function found<Record>(records: readonly Record[]): DnsAnswer<Record> {
  return records.length > 0 ? { outcome: 'found', records } : { outcome: 'nodata' };
}

/** Best first: the lowest preference (RFC 5321 section 5.1), then by name so that answers compare. */
export function mxFound(records: readonly MxRecord[]): DnsAnswer<MxRecord> {
  const clean = records.map(({ exchange, preference }) => ({ exchange: hostOf(exchange), preference }));
  return found(clean.sort((a, b) => a.preference - b.preference || (a.exchange < b.exchange ? -1 : 1)));
}

/** Lower case, no final dot; the root, which is how the null MX is written, becomes empty. */
function hostOf(exchange: string): string {
  return exchange.toLowerCase().replace(/\.$/, '');
}

/**
 * One answer from the A and the AAAA question. Records of one family stand though the other failed, marked
 * `partial`; no record at all is an answer only when both questions were answered.
 */
export function bothFamilies(v4: DnsAnswer<string>, v6: DnsAnswer<string>): DnsAnswer<string> {
  const failed = [v4, v6].find(isFailure);
  const records = [v4, v6].flatMap((answer) => (answer.outcome === 'found' ? answer.records : []));
  if (records.length > 0) {
    return failed ? { outcome: 'found', records, partial: true } : { outcome: 'found', records };
  }
  if (failed) return failed;
  // NXDOMAIN holds for every type of a name (RFC 2308 section 2.1), so one is enough.
  return { outcome: v4.outcome === 'nxdomain' || v6.outcome === 'nxdomain' ? 'nxdomain' : 'nodata' };
}

function isFailure<Record>(answer: DnsAnswer<Record>): answer is { outcome: DnsFailure } {
  return answer.outcome !== 'found' && answer.outcome !== 'nxdomain' && answer.outcome !== 'nodata';
}
