/** One of our words in an answer, where GraphQL writes it in capitals. @throws Error with the message where it is none */
export function wordIn<Word extends string>(words: readonly Word[], answered: string, message: string): Word {
  const found = words.find((word) => word === answered.toLowerCase())
  if (found === undefined) throw new Error(message)
  return found
}
