import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Person } from '../../accounts/person.ts';
import type { InjectionToken } from '../../di.ts';
import type { ErrorCode } from '../../errors.ts';
import type { JsonSchema } from '../../provider-kit/index.ts';
import type { Access } from './access.ts';
import type { Of } from './json-types.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `/accounts/{account_id}/keys` to `{ account_id: string }`. */
type PathParameters<Path extends string> = { readonly [Name in NamesIn<Path>]: string };
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** What a handler is given: all of it has been checked against the declaration. */
interface Asked<Params, Query, Body, Who> {
  /** The person who is signed in; null only where `access` is `anyone`. */
  readonly person: Who;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  /** For throttles; behind a trusted proxy the address of the client, not of the proxy. */
  readonly clientAddress: string;
  /** Aborted when the client closes the connection before it has its answer. */
  readonly signal: AbortSignal;
  /** Sets a header of the answer; a list sends the header several times. */
  setHeader(name: string, value: string | readonly string[]): void;
}

/** What an endpoint answers when nothing is refused. */
interface AnswerDeclaration {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  /** Of the JSON body; without it and without `mediaType` there is no body. */
  readonly schema?: JsonSchema;
  /** Of an answer that is no JSON: `text/csv; charset=utf-8`. The handler returns text or a stream then. */
  readonly mediaType?: string;
  /** Of each line where the answer is lines of JSON (`json-lines.ts`); for the description alone. */
  readonly lines?: JsonSchema;
}

type Answered<A extends AnswerDeclaration> = A extends { readonly mediaType: string }
  ? Readable | string
  : A extends { readonly schema: infer S }
    ? Of<S>
    : undefined;

/** One endpoint of the management API without its handler: what it takes, who may use it, what it answers. */
interface Declaration<
  Path extends string = string,
  A extends Access = Access,
  Query = unknown,
  Body = unknown,
  Answer = unknown,
> {
  readonly method: Method;
  /** snake_case; the name of the operation in clients. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly bodyLimitBytes?: number;
  /** Codes that the handler itself throws, beside those of the guards. */
  readonly refusals?: readonly ErrorCode[];
  /** Under `/dashboard/api`; parameters as in OpenAPI: `/accounts/{account_id}`. */
  readonly path: Path;
  readonly access: A;
  /** Of the query; numbers and booleans are read from text, defaults are filled in. */
  readonly query?: Query;
  /** Of the JSON body. Without it no body is read. */
  readonly body?: Body;
  readonly answer: Answer;
}

/** An endpoint that was declared: its handler's types are known to fit its schemas. */
export interface Endpoint<Services>
  extends Declaration<string, Access, JsonSchema | undefined, JsonSchema | undefined, AnswerDeclaration> {
  // biome-ignore lint/suspicious/noExplicitAny: what is handed over has passed the schemas from which the types came.
  handle(services: Services, asked: any): unknown;
}

/**
 * Declares endpoints whose handlers get these services: `const define = endpointsWith<KeyServices>()`. The types of
 * schemas are worked out here and nowhere else: in an interface the compiler would look for their variance without end.
 */
export function endpointsWith<Services>() {
  return <
    const Path extends string,
    const A extends Access,
    const Answer extends AnswerDeclaration,
    const Query = undefined,
    const Body = undefined,
  >(
    endpoint: Declaration<Path, A, Query, Body, Answer> & {
      handle(
        services: Services,
        asked: Asked<PathParameters<Path>, Of<Query>, Of<Body>, A extends 'anyone' ? Person | null : Person>,
      ): Promise<Answered<Answer>> | Answered<Answer>;
    },
  ): Endpoint<Services> => endpoint as unknown as Endpoint<Services>;
}

/** The endpoints of one subject, and the class that holds what their handlers need. */
interface Area<Services> {
  /** Its tag in the description. */
  readonly name: string;
  readonly description: string;
  /** An `@injectable()` class; made at the first request to the dashboard. */
  readonly services: InjectionToken<Services>;
  readonly endpoints: readonly Endpoint<Services>[];
}

/** An area of any services. */
// biome-ignore lint/suspicious/noExplicitAny: each area's endpoints are only ever given that area's services.
export type AnyArea = Area<any>;

export function defineArea<Services>(area: Area<Services>): AnyArea {
  return area;
}
