import type { Dialect } from 'kysely';
import type { Storage } from '../ports.ts';
import { AccountsStore, ApiKeyStore, CheckHours, ProviderValues, UsageOfMonths } from './account-stores.ts';
import { AuditTrailStore } from './audit-trail-store.ts';
import { LabelsStore } from './labels-store.ts';
import { OneTimeLinkStore, PersonStore } from './people-stores.ts';
import { RuleDrafts, RuleVersions } from './rule-stores.ts';
import type { Database } from './schema.ts';

/** What is cold, written once for every SQL database that Kysely has a dialect for. */
export function sharedStores(
  db: Database,
  dialect: Dialect,
): Omit<Storage, 'checks' | 'jobLock' | 'ping' | 'close'> {
  return {
    accounts: new AccountsStore(db),
    keys: new ApiKeyStore(db),
    labels: new LabelsStore(db),
    checkHours: new CheckHours(db),
    usage: new UsageOfMonths(db),
    providerValues: new ProviderValues(db),
    ruleVersions: new RuleVersions(db),
    ruleDrafts: new RuleDrafts(db),
    peopleStorage: {
      people: new PersonStore(db),
      links: new OneTimeLinkStore(db),
      trail: new AuditTrailStore(db),
      sessionDialect: async () => dialect,
    },
  };
}
