import { Kind, OperationTypeNode, parse, visit, type DocumentNode, type SelectionNode } from 'graphql'

/**
 * A document of ours that asks of each payload of its mutation, behind what it says itself, why that was refused: no document
 * can forget it.
 * @param asked what is asked of an error, as in `code message`
 */
export function withErrors(document: DocumentNode, asked: string): DocumentNode {
  const errors = selectionsOf(`{ errors { ${asked} } }`)
  return visit(document, {
    OperationDefinition: (operation) => {
      if (operation.operation !== OperationTypeNode.MUTATION) return undefined
      const selections = operation.selectionSet.selections.map((payload) => {
        if (payload.kind !== Kind.FIELD || !payload.selectionSet) return payload
        const all = [...payload.selectionSet.selections, ...errors]
        return { ...payload, selectionSet: { ...payload.selectionSet, selections: all } }
      })
      return { ...operation, selectionSet: { ...operation.selectionSet, selections } }
    },
  })
}

function selectionsOf(text: string): readonly SelectionNode[] {
  return parse(text, { noLocation: true }).definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? node.selectionSet.selections : [],
  )
}
