import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashSecret } from '../../src/accounts/key.ts';
import type { OperatorRole } from '../../src/accounts/person.ts';
import type { PeopleStorage } from '../../src/storage/people-ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { aWorld, type World } from './world.ts';

async function withPeople<T>(world: World, work: (storage: PeopleStorage) => Promise<T>): Promise<T> {
  const file = join(world.cwd, 'data/postern.db');
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  try {
    return await work(storage.peopleStorage);
  } finally {
    await storage.close();
  }
}

/** A set-up with an account and these people. */
async function aWorldOf(people: Readonly<Record<string, OperatorRole>>): Promise<World> {
  const world = aWorld();
  await world.postern(['accounts', 'create', 'Shop']);
  for (const [name, operatorRole] of Object.entries(people)) {
    const { stdout } = await world.postern(['people', 'setup-link']);
    await withPeople(world, async ({ links }) => {
      const at = new Date().toISOString();
      const link = await links.findOpen(hashSecret(stdout.trim().split('#')[1] ?? ''), at);
      if (!link) throw new Error('the link is not open');
      const person = {
        id: `per_${name}`,
        email: `${name}@firm.example`,
        name,
        operatorRole,
        memberships: [],
      };
      const entry = { id: `act_${name}`, at, personId: null, person: name, action: 'person.joined' } as const;
      await links.join(
        link,
        { ...person, createdAt: at, passwordHash: 'none' },
        { ...entry, subject: null, accountId: null, detail: {} },
      );
    });
  }
  return world;
}

const actions = (world: World) =>
  withPeople(world, async ({ trail }) =>
    (await trail.list({ limit: 10 })).map(({ person, action, subject }) => [person, action, subject]),
  );

describe('postern people', () => {
  it('prints only a set-up link on standard output, and ends the previous link', async () => {
    const world = await aWorldOf({});
    const first = await world.postern(['people', 'setup-link']);
    expect(first.stdout).toMatch(/^https:\/\/localhost:8443\/setup#[\w-]{43}\n$/);
    expect(first.stderr).toContain('Good once, until ');
    const second = (await world.postern(['people', 'setup-link', '--json'])).json();
    const isOpen = (link: string) =>
      withPeople(world, ({ links }) =>
        links.findOpen(hashSecret(link.trim().split('#')[1] ?? ''), new Date().toISOString()),
      );
    expect(await isOpen(first.stdout)).toBeUndefined();
    expect(await isOpen(second.link)).toMatchObject({ purpose: 'setup', expiresAt: second.expires_at });
  });

  it('prints links with the address that the service listens on', async () => {
    const world = await aWorldOf({});
    world.write('config/local.yaml', 'http: { host: 192.0.2.1 }\n');
    const { stdout } = await world.postern(['people', 'setup-link']);
    expect(stdout).toMatch(/^https:\/\/192\.0\.2\.1:8443\/setup#/);
  });

  it('lists the people who can sign in', async () => {
    const world = await aWorldOf({ ada: 'owner', grace: 'analyst' });
    const { json } = await world.postern(['people', 'list', '--json']);
    expect(json().people).toMatchObject([
      { email: 'ada@firm.example', operator_role: 'owner', memberships: [] },
      { email: 'grace@firm.example', operator_role: 'analyst' },
    ]);
    expect((await world.postern(['people', 'list'])).stdout).toMatch(/grace@firm\.example +grace +analyst/);
  });

  it('makes a link for a new password, and records it in the audit trail', async () => {
    const world = await aWorldOf({ ada: 'owner' });
    const { code, stdout } = await world.postern(['people', 'reset', 'Ada@firm.example']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\/setup#[\w-]{43}\n$/)]);
    expect(await actions(world)).toContainEqual([
      'command line',
      'link.made',
      expect.stringMatching(/^lnk_/),
    ]);
  });

  it('lists the open links, revokes one, and records it in the audit trail', async () => {
    const world = await aWorldOf({ ada: 'owner' });
    const { stdout } = await world.postern(['people', 'reset', 'ada@firm.example']);
    const { links } = (await world.postern(['people', 'links', '--json'])).json();
    expect(links).toMatchObject([{ purpose: 'password', email: 'ada@firm.example', created_by: null }]);
    const listed = await world.postern(['people', 'links']);
    expect(listed.stdout).toMatch(/lnk_\w+ +password +ada@firm\.example/);
    expect(listed.stdout).not.toContain(stdout.trim().split('#')[1]);
    const [{ id }] = links;
    expect((await world.postern(['people', 'revoke-link', id])).stdout).toBe(`${id} revoked\n`);
    expect((await world.postern(['people', 'links', '--json'])).json()).toEqual({ links: [] });
    expect(await actions(world)).toContainEqual(['command line', 'link.revoked', id]);
    const again = await world.postern(['people', 'revoke-link', id]);
    expect([again.code, again.stderr]).toEqual([1, `there is no open link "${id}"\n`]);
  });

  it('removes a person, but not the last owner', async () => {
    const world = await aWorldOf({ ada: 'owner', grace: 'analyst' });
    expect((await world.postern(['people', 'remove', 'grace@firm.example'])).stdout).toBe(
      'per_grace removed\n',
    );
    expect(await actions(world)).toContainEqual(['command line', 'person.removed', 'per_grace']);
    const { code, stderr } = await world.postern(['people', 'remove', 'ada@firm.example']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('make another one first')]);
  });

  it('reports that the person does not exist', async () => {
    const world = await aWorldOf({});
    for (const command of ['reset', 'remove']) {
      const { code, stderr } = await world.postern(['people', command, 'ada@firm.example']);
      expect([code, stderr]).toEqual([1, 'there is no person with the email "ada@firm.example"\n']);
    }
  });

  it('reports that sign-in is not possible where the dashboard is off', async () => {
    const world = await aWorldOf({});
    const env = { POSTERN__DASHBOARD__ENABLED: 'false' };
    const { code, stderr } = await world.postern(['people', 'setup-link'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('dashboard.enabled is false')]);
  });
});
