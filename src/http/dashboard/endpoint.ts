import type { Readable } from 'node:stream';
import type { ErrorCode } from '../../errors.ts';
import type { Person } from '../../people/person.ts';
import type { Access } from './access.ts';
import type { LiteralSchema, Of } from './json-types.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `/accounts/{account_id}/keys` to `{ account_id: string }`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name | keyof PathParameters<Rest>]: string }
  : object;

/** What a handler is given: everything in it has passed the declaration. */
export interface Asked<Path extends string, Query, Body, Who> {
  /** Whoever is signed in; null only where anyone may ask. */
  readonly person: Who;
  readonly params: PathParameters<Path>;
  readonly query: Of<Query>;
  readonly body: Of<Body>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** For throttles; behind a trusted proxy the client's own. */
  readonly clientAddress: string;
  /** Aborted when the client leaves before it has its answer. */
  readonly signal: AbortSignal;
  /** Sets a header of the answer; a list sends the header several times. */
  setHeader(name: string, value: string | readonly string[]): void;
}

/** What an endpoint answers when nothing is refused. */
export interface AnswerDeclaration {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  /** Of the JSON body; without it and without `mediaType` there is no body. */
  readonly schema?: LiteralSchema;
  /** Of an answer that is no JSON: `text/csv; charset=utf-8`. The handler returns text or a stream then. */
  readonly mediaType?: string;
}

type Answered<A extends AnswerDeclaration> = A extends { readonly mediaType: string }
  ? Readable | string
  : A extends { readonly schema: infer S }
    ? Of<S>
    : undefined;

/** One endpoint of the management API, all of it: what it takes, who may, what it answers. */
export interface Endpoint<
  Services,
  Path extends string = string,
  Query = unknown,
  Body = unknown,
  Answer extends AnswerDeclaration = AnswerDeclaration,
  Who = Person | null,
> {
  readonly method: Method;
  /** Under `/dashboard/api`; parameters as in OpenAPI: `/accounts/{account_id}`. */
  readonly path: Path;
  /** snake_case; the name of the operation in clients. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Of the query; numbers and booleans are read from text, defaults are filled in. */
  readonly query?: Query;
  /** Of the JSON body. Without it no body is read. */
  readonly body?: Body;
  readonly bodyLimitBytes?: number;
  readonly answer: Answer;
  /** What the handler itself refuses, beside what the guards do. */
  readonly refusals?: readonly ErrorCode[];
  handle(
    services: Services,
    asked: Asked<Path, Query, Body, Who>,
  ): Promise<Answered<Answer>> | Answered<Answer>;
}

type WhoOf<A extends Access> = A extends 'anyone' ? Person | null : Person;

/** What remains of an endpoint's types when the area knows it. */
export type AnyEndpoint<Services> = Omit<Endpoint<Services>, 'handle' | 'query' | 'body'> & {
  readonly query?: LiteralSchema;
  readonly body?: LiteralSchema;
  // biome-ignore lint/suspicious/noExplicitAny: what is handed over has passed the schemas from which the types came.
  handle(services: Services, asked: any): unknown;
};

/** Declares endpoints that are handled with these services: `const define = endpointsWith<KeyServices>()`. */
export function endpointsWith<Services>() {
  return <
    const Path extends string,
    const A extends Access,
    const Answer extends AnswerDeclaration,
    const Query extends LiteralSchema | undefined = undefined,
    const Body extends LiteralSchema | undefined = undefined,
  >(
    endpoint: Endpoint<Services, Path, Query, Body, Answer, WhoOf<A>> & { readonly access: A },
  ): AnyEndpoint<Services> => endpoint as unknown as AnyEndpoint<Services>;
}
