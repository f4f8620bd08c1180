/** File name of the certificate authority once it is downloaded. */
export const AUTHORITY_FILE = 'postern-ca.pem';

/** Not example.com: it says that it takes no mail (RFC 7505). */
export const SAMPLE_EMAIL = 'jane.doe@gmail.com';

export interface SampleOptions {
  /** `https://host:port` of the service. */
  readonly origin: string;
  readonly email: string;
  /** Whether clients must be told to trust the authority that the service made. */
  readonly hasOwnAuthority: boolean;
  /** The secret of a key that was just made: exported as POSTERN_KEY first. Without it the reader sets POSTERN_KEY. */
  readonly secret?: string | undefined;
}

export interface CodeSample {
  readonly language: string;
  /** How the language's own tools would call the file; null for a command. */
  readonly file: string | null;
  readonly text: string;
  /** The shell command that runs `file`; null where `text` is a command itself. */
  readonly run: string | null;
}

/** One check in each language, complete. The key is read from POSTERN_KEY, so that it stands in no file and no history. */
export function codeSamples(options: SampleOptions): readonly CodeSample[] {
  const given = options.secret === undefined ? '' : `export POSTERN_KEY=${options.secret}\n`;
  const trusting = options.hasOwnAuthority ? `NODE_EXTRA_CA_CERTS=${AUTHORITY_FILE} ` : '';
  return [
    { language: 'curl', file: null, text: given + curl(options), run: null },
    { language: 'Node', file: 'check.mjs', text: node(options), run: `${given}${trusting}node check.mjs` },
    { language: 'Python', file: 'check.py', text: python(options), run: `${given}python3 check.py` },
    { language: 'PHP', file: 'check.php', text: php(options), run: `${given}php check.php` },
    { language: 'Go', file: 'check.go', text: go(options), run: `${given}go run check.go` },
  ];
}

function curl({ origin, email, hasOwnAuthority }: SampleOptions): string {
  const body = JSON.stringify({ email }).replaceAll("'", `'\\''`);
  return [
    `curl ${hasOwnAuthority ? `--cacert ${AUTHORITY_FILE} ` : ''}${origin}/v1/`,
    `-H "Authorization: Bearer $POSTERN_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '${body}'`,
  ].join(' \\\n  ');
}

function node({ origin, email }: SampleOptions): string {
  return `const response = await fetch('${origin}/v1/', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.POSTERN_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ email: ${JSON.stringify(email)} }),
});
console.log(await response.text());
`;
}

/** The email as JSON is a valid string literal in Python, and in Go below. */
function python({ origin, email, hasOwnAuthority }: SampleOptions): string {
  const authority = hasOwnAuthority ? `cafile="${AUTHORITY_FILE}"` : '';
  return `import json, os, ssl, urllib.error, urllib.request

request = urllib.request.Request(
    "${origin}/v1/",
    data=json.dumps({"email": ${JSON.stringify(email)}}).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["POSTERN_KEY"],
        "Content-Type": "application/json",
    },
)
trust = ssl.create_default_context(${authority})
try:
    response = urllib.request.urlopen(request, context=trust)
except urllib.error.HTTPError as refusal:
    response = refusal
print(response.read().decode())
`;
}

function php({ origin, email, hasOwnAuthority }: SampleOptions): string {
  const literal = email.replaceAll(/[\\']/g, (sign) => `\\${sign}`);
  return `<?php
$request = curl_init('${origin}/v1/');
curl_setopt_array($request, [
    CURLOPT_POSTFIELDS => json_encode(['email' => '${literal}']),
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('POSTERN_KEY'),
        'Content-Type: application/json',
    ],${hasOwnAuthority ? `\n    CURLOPT_CAINFO => '${AUTHORITY_FILE}',` : ''}
    CURLOPT_RETURNTRANSFER => true,
]);
$answer = curl_exec($request);
echo $answer === false ? curl_error($request) : $answer, "\\n";
`;
}

function go({ origin, email, hasOwnAuthority }: SampleOptions): string {
  const imports = ['bytes', 'encoding/json', 'fmt', 'io', 'log', 'net/http', 'os'];
  if (hasOwnAuthority) imports.push('crypto/tls', 'crypto/x509');
  const trust = `	authority, err := os.ReadFile("${AUTHORITY_FILE}")
	if err != nil {
		log.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(authority)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: trusted},
	}}
`;
  return `package main

import (
${imports
  .toSorted()
  .map((name) => `	"${name}"\n`)
  .join('')})

func main() {
${hasOwnAuthority ? trust : '	client := http.DefaultClient\n'}	body, _ := json.Marshal(map[string]string{"email": ${JSON.stringify(email)}})
	request, err := http.NewRequest("POST", "${origin}/v1/", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("POSTERN_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(string(answer))
}
`;
}
