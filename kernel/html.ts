import { createHash } from 'node:crypto'

/** Text that is HTML already; only `html` makes it. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[] | undefined

/** A piece of a page: what is filled in is escaped, unless it is a piece itself; undefined is nothing. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(pieces.reduce((text, piece, index) => text + textOf(parts[index - 1]) + piece))
}

function textOf(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('')
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * The one inline style sheet of a page, and the headers by which a browser loads nothing else and runs nothing at all.
 * @param options.ownForms whether its forms may be sent to where it came from
 * @param options.images whether pictures are shown that the page brings along (`data:` addresses)
 */
export function styledPage(
  css: string,
  { images = false, ownForms = false } = {},
): { style: Html; headers: Readonly<Record<string, string>> } {
  return {
    style: new Html(`<style>${css}</style>`),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src ${styleSource(css)};${images ? ' img-src data:;' : ''} base-uri 'none'; form-action ${ownForms ? "'self'" : "'none'"}; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  }
}

/** The source by which a content security policy allows the style sheet in the page, and no other (CSP 3, 2.3.1). */
export function styleSource(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`
}
