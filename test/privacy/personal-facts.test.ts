import { expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

/** The record of one check by a whole service: its facts and the reasons of the unknown ones. */
async function recordOf(email: string, storeAddresses: string) {
  const service = await startTestService({ privacy: { store_addresses: storeAddresses } });
  try {
    const { status, text } = await service.check(email);
    expect(status).toBe(200);
    const [row] = await service.rows('SELECT facts, unknown, evidence FROM checks');
    return { facts: JSON.parse(`${row?.facts}`), unknown: JSON.parse(`${row?.unknown}`), text, row };
  } finally {
    await service.stop();
  }
}

it.each(['plain', 'hmac'])(
  'records the probable domain under %s, because the domain is recorded there',
  async (mode) => {
    const { facts, unknown } = await recordOf('jane@gmial.com', mode);
    expect(facts['typo.suggestion']).toBe('gmail.com');
    expect(facts).toMatchObject({ 'address.domain': 'gmial.com', 'address.tld': 'com' });
    expect(unknown['typo.suggestion']).toBeUndefined();
  },
);

it('does not record it where no domain is stored, and gives the reason', async () => {
  const { facts, unknown, row } = await recordOf('jane@gmial.com', 'none');
  expect(facts['typo.suggestion']).toBeNull();
  expect(unknown['typo.suggestion']).toBe('not_stored');
  expect(facts).toMatchObject({ 'address.domain': null, 'address.registrable_domain': null });
  expect(JSON.stringify(row)).not.toMatch(/gmi?ail\.com|gmial/);
  // Facts that quote nothing are recorded.
  expect(facts).toMatchObject({ 'relay.is_relay': false, 'local_part.length': 4 });
});

it.each(['hmac', 'none'])(
  'records under %s what was folded to find the owner, never the folded text',
  async (mode) => {
    const { facts, row, text } = await recordOf('J.Doe+x@firm.example', mode);
    expect(facts).toMatchObject({ 'owner_cluster.basis': 'mail_host', 'owner_cluster.changes': 1 });
    expect(JSON.parse(`${row?.evidence}`)).toMatchObject({ owner_cluster: { changes: ['dots'] } });
    expect(JSON.stringify(row)).not.toMatch(/j\.?doe/i);
    expect(text).not.toMatch(/owner|jdoe/);
  },
);

it('adds nothing of it to the answer', async () => {
  const { text } = await recordOf('jane@gmial.com', 'plain');
  expect(text).toContain('gmial.com');
  for (const word of ['gmail.com', 'typo', 'relay', 'separators']) expect(text).not.toContain(word);
});
