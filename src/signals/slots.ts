import type { FactDeclaration, FactValue, Slot } from '../provider-kit/index.ts';

/** What a slot shows when its provider is disabled or its fact unknown. */
export const NEUTRAL: Readonly<Record<Slot, FactValue>> = {
  'syntax.valid_format': false,
  'entropy.score': 0,
  'entropy.suspicious': false,
  'domain.is_known_disposable': false,
  'domain.is_known_free_provider': false,
  'domain.has_mx': false,
  'domain.is_catch_all': false,
  'domain.is_role_account': false,
  'domain.tld_risk_level': 'low',
};

const TLD_RISK_LEVELS = ['low', 'medium', 'high'];

/** Why a fact cannot fill the slot it claims; undefined when it can. */
export function slotMismatch(fact: FactDeclaration, slot: Slot): string | undefined {
  if (fact.id !== slot) return `fills the slot "${slot}", so its id must be "${slot}"`;
  const neutral = NEUTRAL[slot];
  if (typeof neutral === 'boolean' && fact.type !== 'boolean') return 'must be of type boolean';
  if (typeof neutral === 'number' && fact.type !== 'number') return 'must be of type number';
  if (typeof neutral === 'string' && fact.values?.join() !== TLD_RISK_LEVELS.join()) {
    return `must be a string with the values ${TLD_RISK_LEVELS.join(', ')}`;
  }
  return undefined;
}
