// Writes docs/openapi.json, docs/dashboard-openapi.json, examples/postern.d.ts and the types of the dashboard's client anew. A test holds them to the
// source; run it after a change of a schema, an endpoint, the table of errors or the version: `npm run openapi`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compile } from 'json-schema-to-typescript';
import type { describeApi } from '../openapi/describe-api.ts';
import { packageRoot, readVersion } from '../src/lib/paths.ts';
import { clientTypes } from './client-types.ts';

type Description = ReturnType<typeof describeApi>;

/** The contents of the files by their paths from the root; `dashboard` is the description of the management API. */
export async function generate(
  document: Description,
  dashboard: object,
): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['docs/dashboard-openapi.json', `${JSON.stringify(dashboard, null, 2)}\n`],
    ['examples/postern.d.ts', await typesOf(document)],
    ['dashboard/src/api/schema.d.ts', await clientTypes(dashboard)],
  ]);
}

/** A type for each schema that a client meets. */
async function typesOf({ components }: Description): Promise<string> {
  const { check_request, check, error_envelope } = components.schemas;
  const types = Object.entries({ check_request, check, error_envelope }).map(([name, schema]) =>
    compile(schema, name, { bannerComment: '', style: { singleQuote: true } }),
  );
  return [
    '// Generated from the OpenAPI description (GET /openapi.json) by `npm run openapi`.\n',
    ...(await Promise.all(types)),
  ].join('\n');
}

/** Imports the build: the sources have classes in a form whose types node does not strip. */
async function describeBuiltApis(): Promise<readonly [Description, object]> {
  const built = (path: string) => import(pathToFileURL(join(packageRoot, 'dist', path)).href);
  const [{ describeApi }, { AREAS }, { describeDashboardApi }] = await Promise.all([
    built('openapi/describe-api.js'),
    built('src/http/dashboard/dashboard-api.js'),
    built('openapi/describe-dashboard-api.js'),
  ]);
  return [describeApi(readVersion()), describeDashboardApi(AREAS, readVersion())];
}

if (import.meta.main) {
  const files = await generate(...(await describeBuiltApis()));
  for (const [path, text] of files) writeFileSync(join(packageRoot, path), text);
}
