import { visit, type DocumentNode } from 'graphql'

type Path = readonly (string | number)[]

/**
 * How a failure names the place of a variable's value, as the rules of the product do: the argument of the field that is asked, and the
 * fields within it, joined by points. Of an argument `input` its fields alone are named.
 * @param document where the variable stands; its own name, which is the client's choice, is told where it stands at no argument
 * @param within the way from the variable's value on
 */
export function failedField(document: DocumentNode, variable: string, within: Path): string {
  const [argument = variable, ...fields] = [...placeOf(document, variable), ...within]
  const isItem = typeof fields[0] === 'number' || /^\d+$/.test(fields[0] ?? '')
  return (argument === 'input' && fields.length > 0 && !isItem ? fields : [argument, ...fields]).join('.')
}

/** The first place of a variable in the arguments of a field. */
function placeOf(document: DocumentNode, variable: string): Path {
  let found: Path | undefined
  const path: (string | number)[] = []
  const named = {
    enter: ({ name }: { name: { value: string } }): void => void path.push(name.value),
    leave: (): void => void path.pop(),
  }
  const item = {
    enter: (_node: unknown, key: string | number | undefined): void => {
      if (typeof key === 'number') path.push(key)
    },
    leave: (_node: unknown, key: string | number | undefined): void => {
      if (typeof key === 'number') path.pop()
    },
  }
  visit(document, {
    Directive: () => false,
    VariableDefinition: () => false,
    Argument: named,
    ObjectField: named,
    ObjectValue: item,
    ListValue: item,
    Variable: ({ name }, key) => {
      if (found || name.value !== variable) return
      found = typeof key === 'number' ? [...path, key] : [...path]
    },
  })
  return found ?? [variable]
}
