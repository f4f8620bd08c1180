import { listOf } from './domain-lists.ts';
import { bareNames, localParts } from './local-parts.ts';
import { type Contestants, countHits } from './metric.ts';
import { MAILCHIMP, RFC_2142 } from './role-names.ts';
import type { SignalQuality } from './signal-quality.ts';

export const roleAccount: SignalQuality = {
  peers: ['role-based-email-addresses'],
  async measure(data, postern) {
    const raw = listOf('role-based-email-addresses');
    const contestants: Contestants<string> = {
      Postern: (name) => postern.says(`${name}@example.com`, 'domain.is_role_account', true),
      'role-based-email-addresses': (name) => raw.has(name.toLowerCase()),
    };
    return [
      await countHits('names of RFC 2142 found', 'high', RFC_2142, contestants),
      await countHits('names that Mailchimp refuses found', 'high', MAILCHIMP, contestants),
      await countHits('names of people, alone, named', 'low', bareNames(data), contestants),
      await countHits("local parts like people's named", 'low', localParts(data, 'name'), contestants),
    ];
  },
};
