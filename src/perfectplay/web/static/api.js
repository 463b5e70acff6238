/** Questions to the server: JSON there and back, or a stream of events. */

/** Who this page is: questions of one page wait for each other, and not for those of others. */
const CLIENT = crypto.getRandomValues(new Uint32Array(2)).join("-");

/** What the server said no to, in its own sentence. */
export class Refusal extends Error {}

/** @param {string} path @returns {Promise<any>} */
export async function get(path) {
  return answerOf(await reached(path, { headers: { Accept: "application/json" } }));
}

/** @param {string} path @returns {Promise<string>} */
export async function text(path) {
  const response = await reached(path, {});
  return response.ok ? response.text() : answerOf(response);
}

/** @param {string} path @param {object} body @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function post(path, body, signal) {
  return answerOf(await reached(path, posted(body, signal)));
}

/**
 * Post, and hand each event of the answer on as it comes; the data of the last one, `done`, is the result.
 * @param {string} path @param {object} body
 * @param {{signal?: AbortSignal, onEvent?: (name: string, data: any) => void}} [options] @returns {Promise<any>}
 */
export async function stream(path, body, { signal, onEvent } = {}) {
  const response = await reached(path, posted(body, signal));
  if (!response.ok) await answerOf(response);
  for await (const { name, data } of events(response.body)) {
    if (name === "failed") throw new Refusal(data.message);
    if (name === "done") return data;
    onEvent?.(name, data);
  }
  throw new Refusal("The server ended its answer too early: ask it again.");
}

/** Was this only our own change of mind? @param {unknown} error */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Any error in one sentence for the page. @param {unknown} error */
export function sentence(error) {
  if (!(error instanceof Refusal)) console.error(error);
  return error instanceof Refusal ? error.message : "Something on this page went wrong: load it again.";
}

function posted(body, signal) {
  const headers = { "Content-Type": "application/json", "X-Client": CLIENT };
  return { method: "POST", headers, body: JSON.stringify(body), signal };
}

async function reached(path, request) {
  try {
    return await fetch(path, request);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new Refusal("The server does not answer: start it again with perfectplay serve, then load this page.");
  }
}

async function answerOf(response) {
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Refusal(answer.message || `The server answered with error ${response.status}: ask it again.`);
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(lost);
      if (done) return;
      waiting += value.replaceAll("\r", "");
      const blocks = waiting.split("\n\n");
      waiting = blocks.pop();
      for (const block of blocks) {
        const event = readEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function lost(error) {
  if (isAbort(error)) throw error;
  throw new Refusal("The connection to the server was lost: ask it again.");
}

/** One block of a stream; comments, which keep the line open, are nothing. */
function readEvent(block) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  return data.length ? { name, data: JSON.parse(data.join("\n")) } : null;
}
