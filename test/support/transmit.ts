import type { IncomingHttpHeaders } from 'node:http';
import { type RequestOptions, request } from 'node:https';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

export interface SendOptions extends RequestOptions {
  readonly body?: string | Buffer;
}

/** One HTTPS request to localhost, read to its end. */
export function transmit({ body, ...options }: SendOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: 'localhost', ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const json = text.startsWith('{') ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
