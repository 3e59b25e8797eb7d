import { html, type Html } from '../../kernel/html.js'
import { QUERY_LIMITS } from '../../gateway/graphql/query-limits.js'
import { DOCUMENT_MAX, type NotPlanned, type PlannedOperation } from './plan.js'
import { table } from './pieces.js'

/** An operation that goes through three subgraphs, to begin with. */
const EXAMPLE = `query PaymentsWithTheirOrders {
  payments(first: 10) {
    edges { node { id status payerVerification { status } order { id active } } }
  }
}`

/**
 * The page that plans a pasted operation. The browser cuts what is pasted one character above the limit, so that it is told to be
 * too long, and an address still carries it.
 * @param planned undefined before one was pasted
 */
export function planPage(source: string, planned: PlannedOperation | NotPlanned | undefined): Html {
  return html`<p><a href="/schema">GraphQL schema</a></p>
    <h1>Plan an operation</h1>
    <p>Shows which subgraphs are asked, in which order, and what it costs. Nothing is run, and no key is needed.</p>
    <form action="/schema/plan">
      <label for="document">Operation</label>
      <textarea id="document" name="document" rows="10" maxlength="${DOCUMENT_MAX + 1}" spellcheck="false">
${source === '' ? EXAMPLE : source}</textarea>
      <button>Plan</button>
    </form>
    ${planned === undefined ? html`` : outcome(planned)}`
}

function outcome(planned: PlannedOperation | NotPlanned): Html {
  if ('problems' in planned) {
    return html`<h2>It is not planned</h2>
      <ul role="alert">
        ${planned.problems.map((problem) => html`<li>${problem}</li>`)}
      </ul>`
  }
  const { fetches, text, alone, measure } = planned
  return html`<h2>Fetches</h2>
    <p>${howAnswered(fetches.length, alone)}</p>
    ${table(
      ['Step', 'Subgraph', 'What is asked'],
      fetches.map(({ subgraph, path, isOfEntities }, index) => [
        html`${index + 1}`,
        html`<code>${subgraph}</code>`,
        isOfEntities
          ? html`the objects at <code>${path}</code>, all in one question`
          : html`the operation&rsquo;s root`,
      ]),
    )}
    <h2>Cost</h2>
    ${table(
      ['What', 'This operation', 'Limit'],
      [
        [html`Objects it may answer`, html`${measure.cost}`, html`${QUERY_LIMITS.cost}`],
        [html`Depth`, html`${measure.depth}`, html`${QUERY_LIMITS.depth}`],
        [html`Aliases`, html`${measure.aliases}`, html`${QUERY_LIMITS.aliases}`],
        [html`Root fields`, html`${measure.rootKeys.size}`, html`${QUERY_LIMITS.rootFields}`],
        [html`Requests it counts against the key&rsquo;s rate`, html`${measure.weight}`, html`the key&rsquo;s own`],
      ],
    )}
    <p>A list whose length a variable says is taken to be as long as the schema says.</p>
    <h2>Plan</h2>
    <pre tabindex="0"><code>${text}</code></pre>`
}

function howAnswered(fetches: number, alone: string | undefined): Html {
  if (alone !== undefined) return html`The subgraph <code>${alone}</code> answers alone, past the planner.`
  return html`${fetches === 1 ? 'One fetch' : `${fetches} fetches`} through the gateway.`
}
