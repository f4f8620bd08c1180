// The server for comparison: Koa, its router and its body parser, on HTTPS, and nothing else.
// Answers with the request's body, padded to the length of a check's answer.
//   node bare-koa.ts CERT_FILE KEY_FILE BODY_LENGTH
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import Router from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';

const [certFile = '', keyFile = '', bodyLength = ''] = process.argv.slice(2);
const padding = 'x'.repeat(Number(bodyLength));

const router = new Router();
router.post('/v1', bodyParser(), (ctx) => {
  const body = JSON.stringify(ctx.request.body);
  ctx.set('Content-Type', 'application/json');
  // Both halves are ASCII here, so one character is one octet.
  ctx.body = `{"echo":${body},"padding":"${padding.slice(body.length + 22)}"}`;
});
const app = new Koa().use(router.routes());
const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, app.callback());
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`ready https://127.0.0.1:${address.port}`);
});
process.once('SIGTERM', () => process.exit(0));
