import { inject, injectable } from '../di.ts';
import { AppError } from '../errors.ts';
import { PEOPLE_STORE, type PeopleStore, type Roles } from '../storage/people-ports.ts';
import { ACCOUNT_STORE, type AccountStore } from '../storage/ports.ts';
import { AuditTrail } from './audit-trail.ts';
import { type Membership, type Person, presentRoles } from './person.ts';

/** Lists people, sets their roles, removes them. The last owner can be neither removed nor demoted. */
@injectable()
export class PeopleService {
  constructor(
    @inject(PEOPLE_STORE) private readonly people: PeopleStore,
    @inject(ACCOUNT_STORE) private readonly accounts: AccountStore,
    @inject(AuditTrail) private readonly trail: AuditTrail,
  ) {}

  list(): Promise<readonly Person[]> {
    return this.people.list();
  }

  /** Throws AppError `not_found`. */
  async find(id: string): Promise<Person> {
    const person = await this.people.find(id);
    if (!person) throw new AppError('not_found');
    return person;
  }

  /** Throws AppError `email_taken` where a person has this email. */
  async requireUnknown(email: string): Promise<void> {
    if (await this.people.findByEmail(email)) throw new AppError('email_taken');
  }

  /**
   * Throws AppError `not_found`, `last_owner`, `roles_changed` where the person has other roles than `was` by now, or
   * `invalid_request` where an account is named twice or is not there.
   */
  async setRoles(id: string, roles: Roles, by: Person | null, was?: Roles): Promise<Person> {
    const person = await this.find(id);
    await this.requireAccounts(roles.memberships, 'body/memberships');
    const entry = this.trail.entry({
      person: by,
      action: 'person.roles_changed',
      subject: id,
      detail: { email: person.email, from: presentRoles(person), to: presentRoles(roles) },
    });
    if (!(await this.people.setRoles(id, roles, entry, was))) throw new AppError('last_owner');
    return this.find(id);
  }

  /** Throws AppError `not_found` or `last_owner`. */
  async remove(id: string, by: Person | null): Promise<Person> {
    const person = await this.find(id);
    const entry = this.trail.entry({
      person: by,
      action: 'person.removed',
      subject: id,
      detail: { email: person.email },
    });
    if (!(await this.people.remove(id, entry))) throw new AppError('last_owner');
    return person;
  }

  /** Throws AppError `invalid_request` where an account is named twice or is not there. */
  async requireAccounts(memberships: readonly Membership[], path = 'body/membership'): Promise<void> {
    const ids = memberships.map(({ accountId }) => accountId);
    const known = await Promise.all(ids.map((id) => this.accounts.find(id)));
    const details = ids.flatMap((id, place) => {
      if (!known[place]) return [{ path, message: `${id} is no account` }];
      return ids.indexOf(id) === place ? [] : [{ path, message: `${id} is named twice` }];
    });
    if (details.length > 0) throw new AppError('invalid_request', { details });
  }
}
