import { readAddress } from '../email/read-address.ts';
import { AppError } from '../errors.ts';
import type { Address } from '../provider-kit/index.ts';

/** The one address that a text is. Throws AppError `unparseable_email` for any other. */
export function requireAddress(email: string): Address {
  const reading = readAddress(email);
  if (reading.ok) return reading.address;
  const { code, position, message } = reading.refusal;
  throw new AppError('unparseable_email', { details: [{ fault: code, position, message }] });
}
