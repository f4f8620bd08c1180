/** All that a signal provider may import from Postern. */
export { type OwnerCluster, type OwnerClusterChange, ownerCluster } from '../email/owner-cluster.ts';
export type { Address, CanonicalBasis, CanonicalChange, SyntaxFault } from './address.ts';
export { closestSuffix, listKey } from './domain-names.ts';
export {
  type Clock,
  type DnsAnswer,
  type DnsResolver,
  type MxRecord,
  type Ports,
  type ProviderLog,
  type ProviderStore,
  SMTP_OUTCOMES,
  type SmtpAnswer,
  type SmtpOutcome,
  type SmtpProber,
  type SmtpQuestion,
} from './ports.ts';
export {
  type Answer,
  type Context,
  type Count,
  type CountWindow,
  type DataList,
  type DownloadedList,
  defineProvider,
  type FactDeclaration,
  type FactType,
  type FactValue,
  type Findings,
  type JsonSchema,
  type ListEntry,
  type ListRecord,
  type LocalProvider,
  type NetworkProvider,
  type Prepared,
  type Setup,
  type SignalProvider,
  SLOTS,
  type Slot,
  type ThresholdFault,
} from './provider.ts';
export { isUnknown, UNKNOWN_REASONS, type Unknown, type UnknownReason, unknown } from './unknown.ts';
