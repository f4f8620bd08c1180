import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownerCluster } from '../../src/email/owner-cluster.ts';
import { readAddress } from '../../src/email/read-address.ts';

function clusterOf(email: string, mailHost: string | null = null) {
  const reading = readAddress(email);
  if (!reading.ok) throw new Error(`${email}: ${reading.refusal.message}`);
  return ownerCluster(reading.address, mailHost);
}

describe('the owner cluster', () => {
  it.each([
    ['jane@proton.me', 'j.a_ne+x@pm.me', 'jane@proton.me'],
    ['jane@me.com', 'jane@mac.com', 'jane@icloud.com'],
    ['jane@yahoo.com', 'jane-shop@yahoo.com', 'jane@yahoo.com'],
  ])('of %s and %s is the same: %s', (one, other, key) => {
    expect(clusterOf(one).key).toBe(key);
    expect(clusterOf(other)).toMatchObject({ key, basis: 'provider', isSettled: true });
  });

  it.each([
    ['google', 'j.doe+x@firm.example', 'jdoe@firm.example', ['dots']],
    ['proton', 'j.d-o_e@firm.example', 'jdoe@firm.example', ['dots', 'characters']],
    ['yandex', 'j.doe@firm.example', 'j-doe@firm.example', ['dots']],
    ['yahoo', 'jane-shop@firm.example', 'jane@firm.example', ['nickname']],
  ])(
    'at a custom domain with %s as its mail host is wider than the canonical form',
    (host, email, key, changes) => {
      expect(clusterOf(email, host)).toEqual({ key, basis: 'mail_host', changes, isSettled: true });
    },
  );

  it.each([null, 'other', 'none', 'microsoft'])(
    'at a custom domain is the canonical form when the host is %s',
    (host) => {
      expect(clusterOf('j.doe+x@firm.example', host)).toEqual({
        key: 'j.doe@firm.example',
        basis: 'canonical',
        changes: [],
        // A known host that folds nothing is an answer; an unknown host is unknown.
        isSettled: host !== null,
      });
    },
  );

  it.each([
    ['google', 'j..doe.@firm.example', 'jdoe@firm.example'],
    ['google', 'ΝΙΚΟΣ.ΣΑΣ@firm.example', 'νικοσσας@firm.example'],
    ['proton', '"j doe_x"@firm.example', '"j doex"@firm.example'],
    ['yahoo', 'jane..doe-shop@firm.example', '"jane..doe"@firm.example'],
    [null, 'jane..doe-shop@yahoo.com', '"jane..doe"@yahoo.com'],
    [null, '"jane doe"@me.com', '"jane doe"@icloud.com'],
  ])('with %s of %s is %s: quotation marks are not part of a name', (host, email, key) => {
    expect(clusterOf(email, host).key).toBe(key);
    expect(clusterOf(key, host).key).toBe(key);
  });

  it('has no changes exactly where its key is the canonical form', () => {
    const hosts = fc.constantFrom(null, 'google', 'proton', 'yandex', 'yahoo', 'other');
    const domains = fc.constantFrom('gmail.com', 'me.com', 'pm.me', 'yahoo.de', 'ya.ru', 'firm.example');
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z._-]{1,6}$/), domains, hosts, (local, domain, host) => {
        const reading = readAddress(`${local}@${domain}`);
        if (!reading.ok) return;
        const { key, changes } = ownerCluster(reading.address, host);
        expect(changes.length === 0).toBe(key === reading.address.canonical.address);
      }),
      { seed: 20261122, numRuns: 2000 },
    );
  });

  it.each([
    ['jane@me.com', ['domain']],
    ['jane-shop@yahoo.com', ['nickname']],
    ['jane@icloud.com', []],
    ['jane@yahoo.com', []],
  ])('of %s reports what was folded, and that the provider folds there', (email, changes) => {
    expect(clusterOf(email)).toMatchObject({ basis: 'provider', changes, isSettled: true });
  });

  it('never merges outlook.com and hotmail.com, whatever their mail host', () => {
    expect(clusterOf('jane@outlook.com', 'microsoft').key).not.toBe(
      clusterOf('jane@hotmail.com', 'microsoft').key,
    );
  });

  it('follows the table instead of the MX for a provider of the table', () => {
    expect(clusterOf('j.doe@outlook.com', 'google')).toEqual({
      key: 'j.doe@outlook.com',
      basis: 'canonical',
      changes: [],
      isSettled: true,
    });
  });

  it.each(['-jane@yahoo.com', '"..."@firm.example', '---@firm.example'])(
    'of %s keeps a local part',
    (email) => {
      expect(clusterOf(email, 'proton').key).toMatch(/^[^@]+@/);
    },
  );

  it('is the same for all addresses of one canonical form', () => {
    const hosts = fc.constantFrom(null, 'google', 'proton', 'yandex', 'yahoo', 'other');
    const locals = fc.stringMatching(/^[a-zA-Z][a-z.+_-]{0,8}$/);
    const domains = fc.constantFrom(
      'gmail.com',
      'googlemail.com',
      'proton.me',
      'pm.me',
      'yahoo.de',
      'firm.example',
    );
    fc.assert(
      fc.property(locals, domains, hosts, (local, domain, host) => {
        const reading = readAddress(`${local}@${domain}`);
        if (!reading.ok) return;
        const { canonical } = reading.address;
        expect(clusterOf(canonical.address, host).key).toBe(ownerCluster(reading.address, host).key);
      }),
      { seed: 20261121, numRuns: 2000 },
    );
  });
});
