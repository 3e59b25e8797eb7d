/** One event of a stream of `text/event-stream`. */
export interface StreamEvent {
  /** The last id that was sent, with this event or before it. */
  id: string
  type: string
  data: string
}

/** What a stream says besides its events. */
export interface StreamState {
  lastId: string
  /** How long to wait before the stream is opened again, in milliseconds, where the service has said so. */
  retryMs?: number
}

/**
 * Reads the events of a stream, as https://html.spec.whatwg.org/multipage/server-sent-events.html tells browsers to.
 * @param state is kept up to date: what the next stream is opened with
 */
export async function* readEvents(
  stream: ReadableStream<Uint8Array>,
  state: StreamState,
): AsyncGenerator<StreamEvent, void, void> {
  let [type, data, lastId] = ['', '', state.lastId]
  for await (const line of linesOf(stream)) {
    if (line === '') {
      // Only now: of an event that is not whole, the next stream has to begin with the whole one.
      state.lastId = lastId
      if (data !== '') yield { id: lastId, type: type || 'message', data: data.slice(0, -1) }
      ;[type, data] = ['', '']
      continue
    }
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (field === 'event') type = value
    else if (field === 'data') data += `${value}\n`
    else if (field === 'id' && !value.includes('\0')) lastId = value
    else if (field === 'retry' && /^\d+$/.test(value)) state.retryMs = Number(value)
  }
}

/** Lines that end in any of the three ways; a last one without an end is dropped, as its event is not whole. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let left = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (left + value).split(/\r\n|\n|\r(?!$)/)
      left = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
