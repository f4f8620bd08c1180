import { LinkService } from '../../../accounts/people/link-service.ts';
import type { Person } from '../../../accounts/people/person.ts';
import type { SignedIn } from '../../../accounts/people/sessions.ts';
import { SignInService } from '../../../accounts/people/sign-in-service.ts';
import { CONFIG, type Config } from '../../../app/config/config.ts';
import { inject, injectable } from '../../../di.ts';
import { ACCOUNT_STORE, type AccountStore } from '../../../storage/ports.ts';
import { presentNobody, presentSession } from './session.presenter.ts';

/** What signing in, by whichever way, is handled with. */
@injectable()
export class SessionServices {
  constructor(
    @inject(SignInService) readonly signIns: SignInService,
    @inject(LinkService) readonly links: LinkService,
    @inject(ACCOUNT_STORE) readonly accounts: AccountStore,
    @inject(CONFIG) readonly config: Config,
  ) {}

  presentNobody() {
    return presentNobody(this.config.dashboard.demo);
  }

  async present(person: Person) {
    return presentSession(person, await this.accounts.list(), this.config.dashboard.demo);
  }

  /** Sends the cookie, and tells who is signed in. */
  async begin({ person, setCookies }: SignedIn, { setHeader }: Cookies) {
    setHeader('Set-Cookie', setCookies);
    return this.present(person);
  }
}

interface Cookies {
  setHeader(name: string, value: readonly string[]): void;
}
