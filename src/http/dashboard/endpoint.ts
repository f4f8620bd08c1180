import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Person } from '../../accounts/person.ts';
import type { InjectionToken } from '../../di.ts';
import type { ErrorCode } from '../../errors.ts';
import type { JsonSchema } from '../../provider-kit/index.ts';
import type { Of } from '../json-types.ts';
import type { Access } from './access.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Method and path under `/dashboard/api`, parameters as in OpenAPI: `GET /accounts/{account_id}/keys`. */
type Route = `${Method} /${string}`;
/** Of that route: `{ account_id: string }`. */
type PathParameters<R extends Route> = { readonly [Name in NamesIn<R>]: string };
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

/** What an endpoint answers when nothing is refused. Without `schema`, `lines` and `mediaType` there is no body. */
export interface AnswerDeclaration {
  /** 200 unless it is said, without a body 204. */
  readonly status?: 201;
  readonly description: string;
  /** Of the JSON body. */
  readonly schema?: JsonSchema;
  /** Of each value that the handler yields, sent as a line of JSON. */
  readonly lines?: JsonSchema;
  /** Of an answer that is no JSON: `text/csv; charset=utf-8`. The handler returns text or a stream then. */
  readonly mediaType?: string;
}

type Answered<A extends AnswerDeclaration> = A extends { readonly mediaType: string }
  ? Readable | string
  : A extends { readonly lines: object }
    ? AsyncIterable<object>
    : A extends { readonly schema: infer S }
      ? DeepReadonly<Of<S>>
      : undefined;

/** An answer is only written out. */
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;

/** What an endpoint takes, who may use it, what it answers. */
interface Declaration<A extends Access = Access, Query = unknown, Body = unknown, Answer = unknown> {
  readonly summary: string;
  readonly description?: string;
  readonly bodyLimitBytes?: number;
  /** Codes that the handler itself throws, beside those of the guards. */
  readonly refusals?: readonly ErrorCode[];
  readonly access: A;
  /** Of the query; numbers and booleans are read from text, defaults are filled in. */
  readonly query?: Query;
  /** Of the JSON body. Without it no body is read. */
  readonly body?: Body;
  readonly answer: Answer;
}

/** An endpoint that was declared: its handler's types are known to fit its schemas. */
export interface Endpoint<Services>
  extends Declaration<Access, JsonSchema | undefined, JsonSchema | undefined, AnswerDeclaration> {
  /** snake_case; the name of the operation in clients. */
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  readonly status: 200 | 201 | 204;
  // biome-ignore lint/suspicious/noExplicitAny: what is handed over has passed the schemas from which the types came.
  handle(services: Services, asked: any): unknown;
}

/** An endpoint gets its name from its area. */
type Unnamed<Services> = Omit<Endpoint<Services>, 'operationId'>;

/**
 * Declares endpoints whose handlers get these services: `const define = endpointsWith<KeyServices>()`. The types of
 * schemas are worked out here and nowhere else: in an interface the compiler would look for their variance without end.
 */
export function endpointsWith<Services>() {
  return <
    const R extends Route,
    const A extends Access,
    const Answer extends AnswerDeclaration,
    const Query = undefined,
    const Body = undefined,
  >(
    route: R,
    declared: Declaration<A, Query, Body, Answer> & {
      handle(
        services: Services,
        asked: Asked<PathParameters<R>, Of<Query>, Of<Body>, A extends 'anyone' ? Person | null : Person>,
      ): Promise<Answered<Answer>> | Answered<Answer>;
    },
  ): Unnamed<Services> => {
    const [method, path] = route.split(' ');
    const { status, schema, lines, mediaType } = declared.answer;
    const hasBody = (schema ?? lines ?? mediaType) !== undefined;
    return {
      ...declared,
      method,
      path,
      status: status ?? (hasBody ? 200 : 204),
    } as unknown as Unnamed<Services>;
  };
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

/** Binds an area together; its endpoints by `operationId`. */
export function defineArea<Services>({
  endpoints,
  ...area
}: Omit<Area<Services>, 'endpoints'> & {
  readonly endpoints: Readonly<Record<string, Unnamed<Services>>>;
}): AnyArea {
  const named = Object.entries(endpoints).map(([operationId, endpoint]) => ({ operationId, ...endpoint }));
  return { ...area, endpoints: named };
}
