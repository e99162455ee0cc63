// SPDX-License-Identifier: GPL-3.0-or-later
// Bundles script and style into one HTML file: node build.js OUT. Hashes of both stand in its content security policy, so
// that nothing else in it can ever run.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const bundle = async (entry) => {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    target: 'es2022',
    charset: 'ascii',
    format: 'esm',
    legalComments: 'none',
    logLevel: 'warning',
  });
  return result.outputFiles[0].text.trim();
};

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const script = await bundle('src/main.js');
const style = await bundle('src/style/main.css');
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error('the bundle would end its element');
const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;
const parts = { POLICY: policy, STYLE: style, SCRIPT: script };
const page = readFileSync('src/page.html', 'utf8').replace(/%(POLICY|STYLE|SCRIPT)%/g, (_, name) => parts[name]);
writeFileSync(process.argv[2], page);
