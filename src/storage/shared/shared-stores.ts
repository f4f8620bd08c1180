import type { Dialect } from 'kysely';
import type { Storage } from '../ports.ts';
import { accountStore, checkHourStore, keyStore, providerValueStore, usageStore } from './account-stores.ts';
import { auditTrailStore } from './audit-trail-store.ts';
import { labelStore } from './labels-store.ts';
import { linkStore, peopleStore } from './people-stores.ts';
import { ruleDraftStore, ruleVersionStore } from './rule-stores.ts';
import { databaseOf } from './schema.ts';

/** What is cold, written once for every SQL database that Kysely has a dialect for. */
export function sharedStores(dialect: Dialect): Omit<Storage, 'checks' | 'jobLock' | 'ping' | 'close'> {
  const db = databaseOf(dialect);
  return {
    accounts: accountStore(db),
    keys: keyStore(db),
    labels: labelStore(db),
    checkHours: checkHourStore(db),
    usage: usageStore(db),
    providerValues: providerValueStore(db),
    ruleVersions: ruleVersionStore(db),
    ruleDrafts: ruleDraftStore(db),
    peopleStorage: {
      people: peopleStore(db),
      links: linkStore(db),
      trail: auditTrailStore(db),
      sessionDialect: async () => dialect,
    },
  };
}
