import type { Download } from '../../../lists/list-status.ts';
import type { StandingList } from '../../../lists/own/own-lists.ts';
import type { DataList } from '../../../provider-kit/index.ts';

const DAY_MS = 86_400_000;

export function presentDownload({ status, snapshots }: Download) {
  const { sha256: _sha256, earlier_snapshots: _earlier, ...rest } = status;
  return {
    ...rest,
    snapshots: snapshots.map(({ sha256, taken_at, confirmed_at, entries, gone }) => ({
      sha256,
      taken_at,
      confirmed_at,
      entries,
      gone,
    })),
  };
}

export function presentData([provider, list]: readonly [string, DataList], now: number) {
  const { name, version = null, date = null, entries } = list;
  const time = date === null ? Number.NaN : Date.parse(date);
  const age = Number.isNaN(time) ? null : Math.floor((now - time) / DAY_MS);
  return { provider, name, version, date, age_days: age, entries };
}

export function presentOwnList({ list, file, version, entries, faults }: StandingList) {
  return {
    list,
    file,
    version,
    faults,
    entries: entries.map(({ value, reason, owner, expires = null, state, isContested, isRepeated }) => ({
      value,
      reason,
      owner,
      expires,
      state,
      is_contested: isContested,
      is_repeated: isRepeated,
    })),
  };
}
