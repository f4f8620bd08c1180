import type { Dialect } from 'kysely';
import type { Storage } from '../ports.ts';
import { NO_REVOCATIONS, type Revocations } from '../revocation-log.ts';
import {
  accountStore,
  checkHourStore,
  keyStore,
  providerValueStore,
  serviceStateStore,
  usageStore,
} from './account-stores.ts';
import { labelStore } from './labels-store.ts';
import { auditTrailStore, linkStore, peopleStore } from './people-stores.ts';
import { type Announce, ruleDraftStore, ruleVersionStore } from './rule-stores.ts';
import { databaseOf, type HoldTable } from './schema.ts';

/** All stores but that of checks, written once in Kysely for both dialects. */
export function sharedStores(
  dialect: Dialect,
  revocations: Revocations = NO_REVOCATIONS,
  /** Does nothing in SQLite, where only one transaction writes at a time. */
  hold: HoldTable = async () => undefined,
  /** Given where several instances share the database. */
  announce?: Announce,
): Omit<Storage, 'checks' | 'jobLock' | 'ping' | 'close'> {
  const db = databaseOf(dialect);
  return {
    accounts: accountStore(db),
    keys: keyStore(db, revocations),
    labels: labelStore(db, hold),
    checkHours: checkHourStore(db, hold),
    usage: usageStore(db),
    providerValues: providerValueStore(db),
    state: serviceStateStore(db),
    ruleVersions: ruleVersionStore(db, announce),
    ruleDrafts: ruleDraftStore(db),
    peopleStorage: {
      people: peopleStore(db, revocations, hold),
      links: linkStore(db, revocations, hold),
      trail: auditTrailStore(db),
      sessionDialect: async () => dialect,
    },
  };
}
