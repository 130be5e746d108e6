/** An error response with a problem detail (RFC 9457). */
export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

async function call(method, path, body) {
  const form = body instanceof FormData;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined || form ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined || form ? body : JSON.stringify(body),
    });
  } catch {
    throw new Problem(0, 'The application does not respond. Check whether it is running.');
  }
  const answer = response.headers.get('Content-Type')?.includes('json') ? await response.json() : await response.text();
  if (!response.ok) {
    throw new Problem(response.status, answer.detail ?? answer.error ?? `The application responded with status ${response.status}.`);
  }
  return answer;
}

export const get = (path) => call('GET', path);
export const post = (path, body) => call('POST', path, body);
export const put = (path, body) => call('PUT', path, body);
export const del = (path) => call('DELETE', path);
