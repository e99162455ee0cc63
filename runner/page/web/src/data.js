// SPDX-License-Identifier: GPL-3.0-or-later
// The data in the page: base64 of a zlib stream of JSON (docs/page.md).
export async function load() {
  const element = document.getElementById('data');
  const text = atob(element.textContent.trim());
  element.remove();
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const data = await new Response(stream).json();
  if (data.schema_version !== 2) throw new Error(`the data have version ${data.schema_version}, not 2`);
  return data;
}
