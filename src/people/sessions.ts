import type { Person } from './person.ts';

/** Whoever a request comes from. */
export interface SignedIn {
  readonly person: Person;
  /** Values of `Set-Cookie` that go with the answer: a session that is used lives on. */
  readonly setCookies: readonly string[];
}

/** Tells who is signed in. */
export interface Sessions {
  /** Of the `Cookie` header; null without a session that is in force. */
  identify(cookies: string | undefined): Promise<SignedIn | null>;
}
