import { beforeEach, expect, it } from 'vitest';
import type { NewLink, TrailEntry } from '../../src/storage/people-ports.ts';
import type { Storage } from '../../src/storage/ports.ts';
import { describeDrivers } from './drivers.ts';
import { accountOf, checkOf } from './rows.ts';

const AT = '2026-11-20T10:00:00.000Z';
const EVER = '9999-12-31T00:00:00.000Z';

/** Guarantees for concurrent changes by several instances: each test repeats them several times. */
describeDrivers('concurrent changes', (open) => {
  let storages: readonly Storage[];
  let made = 0;
  beforeEach(async () => {
    storages = [await open(), await open()];
  });
  const entry = (action: TrailEntry['action']): TrailEntry => ({
    ...{ id: `act_${made++}`, at: AT, personId: null, person: 'test', action },
    ...{ subject: null, accountId: null, detail: {} },
  });
  const linkFor = (email: string | null): NewLink => ({
    ...{ id: `lnk_${made++}`, purpose: 'invitation', email, personId: null, operatorRole: 'owner' },
    ...{ membership: null, createdBy: null, createdAt: AT, expiresAt: EVER, hash: Buffer.from(`${made}`) },
  });
  const people = () => storages.map(({ peopleStorage }) => peopleStorage);
  const join = async (id: string, email: string) => {
    const [{ links }] = people() as [Storage['peopleStorage']];
    const link = linkFor(email);
    await links.create(link, entry('link.made'));
    const person = { id, email, name: id, operatorRole: 'owner', memberships: [], createdAt: AT } as const;
    return links.join(link, { ...person, passwordHash: 'hash' }, entry('person.joined'));
  };

  it('two owners who demote each other leave one owner', async () => {
    const [one, other] = people() as [Storage['peopleStorage'], Storage['peopleStorage']];
    const roles = { operatorRole: null, memberships: [] };
    let owner = 'per_first';
    await join(owner, 'first@firm.example');
    for (let round = 0; round < 10; round += 1) {
      const second = `per_${round}`;
      await join(second, `ann${round}@firm.example`);
      const taken = await Promise.all([
        one.people.setRoles(owner, roles, entry('person.roles_changed')),
        other.people.remove(second, entry('person.removed')),
      ]);
      expect(taken.toSorted()).toEqual([false, true]);
      const owners = (await one.people.list()).filter(({ operatorRole }) => operatorRole === 'owner');
      expect(owners).toHaveLength(1);
      owner = owners[0]?.id ?? '';
    }
  });

  it('two who change the roles of one person: the second is refused, and the change of the first is kept', async () => {
    const [one, other] = people() as [Storage['peopleStorage'], Storage['peopleStorage']];
    await storages[0]?.accounts.create(accountOf('acc_1'));
    await join('per_owner', 'owner@firm.example');
    for (let round = 0; round < 10; round += 1) {
      const id = `per_${round}`;
      await join(id, `ann${round}@firm.example`);
      const was = { operatorRole: 'owner', memberships: [] } as const;
      const member = { operatorRole: null, memberships: [{ accountId: 'acc_1', role: 'viewer' }] } as const;
      const analyst = { operatorRole: 'analyst', memberships: [] } as const;
      const outcomes = await Promise.allSettled([
        one.people.setRoles(id, member, entry('person.roles_changed'), was),
        other.people.setRoles(id, analyst, entry('person.roles_changed'), was),
      ]);
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      expect(refused).toMatchObject([{ reason: { code: 'roles_changed' } }]);
      expect(await one.people.find(id)).toMatchObject(outcomes[0]?.status === 'fulfilled' ? member : analyst);
    }
  });

  it('two links for the same person leave the later one', async () => {
    for (let round = 0; round < 10; round += 1) {
      const email = `ann${round}@firm.example`;
      await Promise.all(people().map(({ links }) => links.create(linkFor(email), entry('link.made'))));
      const [{ links }] = people() as [Storage['peopleStorage']];
      expect((await links.listOpen(AT)).filter((link) => link.email === email)).toHaveLength(1);
    }
  });

  it('a link admits one person', async () => {
    const link = linkFor('bob@firm.example');
    const [{ links }] = people() as [Storage['peopleStorage']];
    await links.create(link, entry('link.made'));
    const joined = await Promise.all(
      people().map((one, index) => {
        const person = { id: `per_${index}`, email: 'bob@firm.example', name: 'Bob', createdAt: AT };
        const roles = { operatorRole: null, memberships: [], passwordHash: 'hash' };
        return one.links.join(link, { ...person, ...roles }, entry('person.joined'));
      }),
    );
    expect(joined.toSorted()).toEqual([false, true]);
  });

  it('an email belongs to one person; a second is refused, and may use the link again', async () => {
    const link = linkFor(null);
    const other = linkFor('carl@firm.example');
    const [{ links }] = people() as [Storage['peopleStorage']];
    for (const each of [link, other]) await links.create(each, entry('link.made'));
    const joining = [link, other].map((each, index) => {
      const person = { id: `per_${index}`, email: 'dora@firm.example', name: 'Dora', createdAt: AT };
      const roles = { operatorRole: null, memberships: [], passwordHash: 'hash' };
      return people()[index]?.links.join(each, { ...person, ...roles }, entry('person.joined'));
    });
    const outcomes = await Promise.allSettled(joining);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'email_taken' },
    });
    expect(await links.listOpen(AT)).toHaveLength(1);
  });

  it('labels of one subject are stored one after the other', async () => {
    const [one] = storages as [Storage];
    await one.accounts.create(accountOf('acc_1'));
    await one.checks.append(checkOf('chk_1'));
    const changes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const given = { source: 'test', author: null, labelledAt: AT } as const;
        const label = {
          subject: { checkId: 'chk_1' },
          label: index % 2 === 0 ? 'good' : 'bad',
          ...given,
        } as const;
        return storages[index % 2]?.labels.put('acc_1', [label], AT);
      }),
    );
    expect(changes.reduce((sum, change) => sum + (change?.added ?? 0), 0)).toBe(1);
    expect(await one.labels.list('acc_1', 10)).toHaveLength(1);
  });

  it('two who label a check that neither was shown a label of: the second leaves it as the first set it', async () => {
    const [one, other] = storages as [Storage, Storage];
    await one.accounts.create(accountOf('acc_1'));
    for (let round = 0; round < 10; round += 1) {
      const subject = { checkId: `chk_${round}` };
      await one.checks.append(checkOf(subject.checkId));
      const given = { subject, source: 'test', author: null, labelledAt: AT, was: 'none' } as const;
      const [good, bad] = await Promise.all([
        one.labels.put('acc_1', [{ ...given, label: 'good' }], AT),
        other.labels.put('acc_1', [{ ...given, label: 'bad' }], AT),
      ]);
      expect([good, bad].map(({ added, older }) => ({ added, older }))).toContainEqual({
        added: 0,
        older: 1,
      });
      const [stored] = await one.labels
        .list('acc_1', 100)
        .then((all) =>
          all.filter((label) => 'checkId' in label.subject && label.subject.checkId === subject.checkId),
        );
      expect(stored?.label).toBe(good.added === 1 ? 'good' : 'bad');
    }
  });

  it('reports of rule faults leave one', async () => {
    const complaint = { kind: 'refused', at: AT, digest: 'd1', faults: ['a'] } as const;
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => storages[index % 2]?.ruleVersions.complain(complaint)),
    );
    expect(await storages[0]?.ruleVersions.complaint()).toEqual(complaint);
  });

  it('checks of one account are all counted', async () => {
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => storages[index % 2]?.checks.append(checkOf(`chk_${index}`))),
    );
    expect(await storages[0]?.usage.read('acc_1', '2026-11')).toBe(200);
  });
});
