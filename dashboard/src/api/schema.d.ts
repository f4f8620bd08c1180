export interface paths {
  '/dashboard/api/session': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations['getSession'];
    put?: never;
    post: operations['signIn'];
    delete: operations['signOut'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/dashboard/api/session/password': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put: operations['changePassword'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/dashboard/api/setup': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: operations['setUp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    session: {
      person: { id: string; email: string; name: string };
      operator_role: 'owner' | 'analyst' | null;
      accounts: { id: string; name: string; role: 'developer' | 'viewer' | 'operator' }[];
      version: string;
      demo: boolean;
    };
  };
}
type NoParameters = { query?: never; header?: never; path?: never; cookie?: never };
type SessionAnswer = { 200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['session'] } } };
type NoAnswer = { 204: { headers: { [name: string]: unknown }; content?: never } };
export interface operations {
  getSession: { parameters: NoParameters; requestBody?: never; responses: SessionAnswer };
  signIn: {
    parameters: NoParameters;
    requestBody: { content: { 'application/json': { email: string; password: string } } };
    responses: SessionAnswer;
  };
  signOut: { parameters: NoParameters; requestBody?: never; responses: NoAnswer };
  changePassword: {
    parameters: NoParameters;
    requestBody: { content: { 'application/json': { current_password: string; new_password: string } } };
    responses: NoAnswer;
  };
  setUp: {
    parameters: NoParameters;
    requestBody: { content: { 'application/json': { token: string; name: string; email: string; password: string } } };
    responses: SessionAnswer;
  };
}
