// Makes the types of the dashboard's API client from the description of the API.
import { registerHooks } from 'node:module';

// openapi-typescript uses TypeScript's programming interface, which version 7 does not have: here alone it gets version 5.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript5' : specifier, context),
});

/** The text of dashboard/src/api/schema.d.ts. */
export async function clientTypes(document: object): Promise<string> {
  const { astToString, default: openapiTS } = await import('openapi-typescript');
  const nodes = await openapiTS(JSON.stringify(document), { alphabetize: true, defaultNonNullable: false });
  return [
    '// Generated from the description of the management API by `npm run openapi`.',
    astToString(nodes),
  ].join('\n');
}
