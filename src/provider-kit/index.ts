/** All that a signal provider may import from Postern. */
export { type OwnerCluster, type OwnerClusterChange, ownerCluster } from '../email/owner-cluster.ts';
export type { Address, CanonicalBasis, CanonicalChange, SyntaxFault } from './address.ts';
export type {
  Clock,
  Counters,
  CountWindow,
  DnsAnswer,
  DnsResolver,
  MxRecord,
  Ports,
  ProviderLog,
} from './ports.ts';
export {
  type Answer,
  type Context,
  type DataList,
  defineProvider,
  type FactDeclaration,
  type FactType,
  type FactValue,
  type Findings,
  isUnknown,
  type JsonSchema,
  type ListEntry,
  type LocalProvider,
  type NetworkProvider,
  type Prepared,
  type Setup,
  type SignalProvider,
  SLOTS,
  type Slot,
  UNKNOWN_REASONS,
  type Unknown,
  type UnknownReason,
  unknown,
} from './provider.ts';
