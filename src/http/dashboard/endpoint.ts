import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Person } from '../../accounts/person.ts';
import type { InjectionToken } from '../../di.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Asking } from '../../jobs/job-queue.ts';
import type { JsonSchema } from '../../provider-kit/index.ts';
import type { Of } from '../json-types.ts';
import { type Access, ANALYSTS } from './access.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Method and path under `/dashboard/api`, parameters as in OpenAPI: `GET /accounts/{account_id}/keys`. */
type Route = `${Method} /${string}`;
/** The path parameters of a route: `{ account_id: string }`. */
type PathParameters<R extends Route> = { readonly [Name in NamesIn<R>]: string };
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** What a handler is given. Access, query and body have been checked against the declaration. */
interface Asked<Params, Query, Body, Who> {
  /** The person who is signed in; null only where `access` is `anyone`. */
  readonly person: Who;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  /** For throttles; behind a trusted proxy the address of the client, not of the proxy. */
  readonly clientAddress: string;
  /** The person for whom jobs run. The signal is aborted when the client closes the connection before it has the answer. */
  readonly asking: Asking & { readonly signal: AbortSignal };
  /** Sets a header of the answer; a list sends the header several times. */
  setHeader(name: string, value: string | readonly string[]): void;
}

/** What an endpoint answers when nothing is refused. Without `schema`, `lines` and `mediaType` there is no body. */
export interface AnswerDeclaration {
  /** When left out: 200, or 204 without a body. */
  readonly status?: 201;
  readonly description: string;
  /** The schema of the JSON body. */
  readonly schema?: JsonSchema;
  /** The schema of each value that the handler yields; each is sent as a line of JSON. */
  readonly lines?: JsonSchema;
  /** The media type of an answer that is no JSON: `text/csv; charset=utf-8`. The handler then returns text or a stream. */
  readonly mediaType?: string;
  /**
   * The body holds a secret, or begins a session: it is sent uncompressed. An attacker whose own text is in a compressed answer could
   * guess the secret letter by letter from the size of the answer (BREACH, breachattack.com).
   */
  readonly isSecret?: true;
}

type Soon<Value> = Promise<Value> | Value;

type Answered<A extends AnswerDeclaration> = A extends { readonly mediaType: string }
  ? Soon<Readable | string>
  : A extends { readonly lines: object }
    ? Soon<AsyncIterable<object>>
    : A extends { readonly schema: infer S }
      ? Soon<DeepReadonly<Of<S>>>
      : Promise<void> | undefined;

/** Answers are only serialized, so a handler may return read-only values. */
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;

/** What an endpoint takes, who may use it, what it answers. */
interface Declaration<Query, Body, Answer> {
  readonly summary: string;
  readonly description?: string;
  readonly bodyLimitBytes?: number;
  /** Codes that the handler itself throws, beside those of the guards. */
  readonly refusals?: readonly ErrorCode[];
  /** The schema of the query; numbers and booleans are read from text, defaults are filled in. */
  readonly query?: Query;
  /** The schema of the JSON body. Without a schema no body is read. */
  readonly body?: Body;
  readonly answer: Answer;
}

/** An endpoint that was declared: its handler's types are known to fit its schemas. */
export interface Endpoint
  extends Declaration<JsonSchema | undefined, JsonSchema | undefined, AnswerDeclaration> {
  /** snake_case; the name of the operation in clients. */
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  readonly status: 200 | 201 | 204;
  readonly access: Access;
  // biome-ignore lint/suspicious/noExplicitAny: `areaOf` has held the handler to what its area needs and its schemas let through.
  handle(services: any, asked: any): unknown;
}

/** An endpoint gets its name from its area. */
type Unnamed = Omit<Endpoint, 'operationId'>;

/** The services that an area's handlers need: the handlers' name for each, and its container token. */
export type Needs = Readonly<Record<string, InjectionToken<unknown>>>;

/** The services of `Needs`, resolved. */
export type Services<N extends Needs> = {
  readonly [Name in keyof N]: N[Name] extends InjectionToken<infer Bound> ? Bound : never;
};

/** The endpoint of an account, made one over all accounts, for analysts. Its handler is given no `account_id`. */
export function overAll(ofAccount: Unnamed, summary: string): Unnamed {
  const path = ofAccount.path.replace('/accounts/{account_id}', '');
  return { ...ofAccount, path, summary, access: ANALYSTS };
}

/** The endpoints of one subject. */
export interface Area {
  /** The area's tag in the API description. */
  readonly name: string;
  readonly description: string;
  /** Resolved at the first request to one of its endpoints, once for all of them. */
  readonly needs: Needs;
  readonly endpoints: readonly Endpoint[];
}

/** An endpoint's `access`: optional where its area declares one for all of its endpoints. */
type AccessIn<Usual, A extends Access> = Usual extends Access
  ? { readonly access?: A }
  : { readonly access: A };

/**
 * Returns the functions that declare an area: `const { define, area } = areaOf('books', 'What can be read.', NEEDS)`, then
 * `area({ add_book: define(…) })`, by `operationId`. `access` holds for the endpoints that declare none. Only this function infers the
 * types of schemas: in an interface the compiler would compute their variance without end.
 */
export function areaOf<N extends Needs, const Usual extends Access | undefined = undefined>(
  name: string,
  description: string,
  needs: N,
  access?: Usual,
) {
  const define = <
    const R extends Route,
    const Answer extends AnswerDeclaration,
    const A extends Access = Extract<Usual, Access>,
    const Query = undefined,
    const Body = undefined,
  >(
    route: R,
    declared: Declaration<Query, Body, Answer> &
      AccessIn<Usual, A> & {
        handle(
          services: Services<N>,
          asked: Asked<PathParameters<R>, Of<Query>, Of<Body>, A extends 'anyone' ? Person | null : Person>,
        ): Answered<Answer>;
      },
  ): Unnamed => {
    const [method, path] = route.split(' ');
    const { status, schema, lines, mediaType } = declared.answer;
    const hasBody = (schema ?? lines ?? mediaType) !== undefined;
    const usual = { access, method, path, status: status ?? (hasBody ? 200 : 204) };
    return { ...usual, ...declared } as unknown as Unnamed;
  };
  const area = (endpoints: Readonly<Record<string, Unnamed>>): Area => ({
    name,
    description,
    needs,
    endpoints: Object.entries(endpoints).map(([operationId, endpoint]) => ({ operationId, ...endpoint })),
  });
  return { define, area };
}
