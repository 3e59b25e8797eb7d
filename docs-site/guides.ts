import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Marked } from 'marked'
import { Html } from '../kernel/html.js'
import { projectRoot } from '../kernel/root.js'

/** The guides, in the order in which they are read. Each is `docs/guides/<name>.md`. */
export const GUIDE_NAMES = [
  'first-payment',
  'wallets',
  'pay-by-address',
  'payment-page',
  'pix',
  'cards',
  'webhooks',
  'refunds',
  'subscriptions',
  'identity',
  'lending',
  'idempotency',
  'rate-and-cost',
  'test-data',
  'moving-over',
  'live-updates',
  'programs',
  'going-live',
] as const

/** A piece of a guide under one heading: what a search finds. */
export interface GuideSection {
  heading: string
  /** The heading's place in the page; empty for what stands above the first. */
  anchor: string
  text: string
}

/** A guide, ready to be shown. */
export interface Guide {
  name: string
  title: string
  body: Html
  sections: readonly GuideSection[]
}

/** Reads a guide from the repository: it is ours, so its HTML is taken as it is. */
export function readGuide(name: string): Guide {
  const source = readFileSync(join(projectRoot, 'docs', 'guides', `${name}.md`), 'utf8')
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
    },
  })
  const [first = '', ...rest] = source.split(/^## /m)
  const title = /^# (.*)$/m.exec(first)?.[1] ?? name
  const sections = rest.map((section) => {
    const heading = section.slice(0, section.indexOf('\n'))
    return { heading, anchor: anchorOf(heading), text: plainText(section) }
  })
  return {
    name,
    title,
    // A wide table scrolls by itself, not the page.
    body: new Html(
      marked
        .parse(source, { async: false })
        .replaceAll('<table>', '<div class="table"><table>')
        .replaceAll('</table>', '</table></div>'),
    ),
    sections: [{ heading: title, anchor: '', text: plainText(first) }, ...sections],
  }
}

/** What a person reads of a section: without the marks of code, its fences, and where links lead. */
function plainText(markdown: string): string {
  return markdown
    .replace(/^```.*$/gm, '')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('`', '')
}

function anchorOf(heading: string): string {
  return heading.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}
