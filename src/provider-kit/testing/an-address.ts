import { readAddress } from '../../email/read-address.ts';
import type { Address } from '../address.ts';

/** An address as the service hands it to providers: parsed, normalized and frozen. Throws where the service would answer 422. */
export function anAddress(text = 'jane.doe@example.com'): Address {
  const reading = readAddress(text);
  if (!reading.ok) throw new Error(`${JSON.stringify(text)} is no address: ${reading.refusal.message}`);
  return frozen(reading.address);
}

/** The same value, with all that is in it. A provider that changes what it is given would change it for the others. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
