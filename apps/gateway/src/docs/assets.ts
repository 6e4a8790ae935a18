import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { documentText } from '../openapi/document-text.js';

/** A file of ours, whole in memory. */
export interface Asset {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly cacheControl: string;
  readonly compressible: boolean;
  /** Whether a browser shows it as a page. */
  readonly page: boolean;
}

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Jetton analytics API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
</head>
<body>
<div id="docs"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

// Without a validator: it would send the address of this document elsewhere.
const script = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
`;

const javascript = 'text/javascript; charset=utf-8';
const day = 'public, max-age=86400';
const soon = 'public, max-age=60';
const tagChars = 22;

function asset(path: string, contentType: string, content: Buffer | string, cacheControl: string): Asset {
  const body = Buffer.from(content);
  const etag = `"${hash('sha256', body, 'base64url').slice(0, tagChars)}"`;
  const [compressible, page] = [!contentType.startsWith('image/'), contentType.startsWith('text/html')];
  return { path, contentType, body, etag, cacheControl, compressible, page };
}

/** The OpenAPI document and the page of the docs with everything it loads. Throws where a file of its library is missing. */
export function loadAssets(): Asset[] {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const library = (name: string) => readFileSync(join(folder, name));
  const document = JSON.stringify(JSON.parse(documentText()));
  return [
    asset('/openapi.json', 'application/json', document, soon),
    asset('/docs', 'text/html; charset=utf-8', html, soon),
    asset('/docs/start.js', javascript, script, soon),
    asset('/docs/swagger-ui-bundle.js', javascript, library('swagger-ui-bundle.js'), day),
    asset('/docs/swagger-ui.css', 'text/css; charset=utf-8', library('swagger-ui.css'), day),
    asset('/docs/favicon-32x32.png', 'image/png', library('favicon-32x32.png'), day),
  ];
}
