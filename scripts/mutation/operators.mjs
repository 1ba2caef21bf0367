import ts from 'typescript'

const { SyntaxKind: Kind } = ts

/** Operators and what they become. */
const SWAPS = new Map([
  [Kind.LessThanToken, ['comparison', '<=']],
  [Kind.LessThanEqualsToken, ['comparison', '<']],
  [Kind.GreaterThanToken, ['comparison', '>=']],
  [Kind.GreaterThanEqualsToken, ['comparison', '>']],
  [Kind.EqualsEqualsEqualsToken, ['equality', '!==']],
  [Kind.ExclamationEqualsEqualsToken, ['equality', '===']],
  [Kind.AmpersandAmpersandToken, ['logic', '||']],
  [Kind.BarBarToken, ['logic', '&&']],
  [Kind.PlusToken, ['arithmetic', '-']],
  [Kind.MinusToken, ['arithmetic', '+']],
  [Kind.PlusEqualsToken, ['arithmetic', '-=']],
  [Kind.MinusEqualsToken, ['arithmetic', '+=']],
])

/** What the compiler takes for any value: else it would find every early return, and no test would be tried. */
const NOTHING = 'undefined as never'

/**
 * What each kind of mutant does to a node: a list of `[kind, the node or span that is replaced, its new text]`. A span
 * has a `start` and an `end`.
 */
const operators = [
  (node) => (conditionOf(node) ? [['condition', conditionOf(node), (text) => `!(${text})`]] : []),
  (node) => {
    const [kind, text] = (ts.isBinaryExpression(node) && SWAPS.get(node.operatorToken.kind)) || []
    return kind === undefined ? [] : [[kind, node.operatorToken, () => text]]
  },
  (node) => (isNot(node) ? [['not', node, () => node.operand.getText()]] : []),
  (node) => (isCallStatement(node) ? [['call', node, () => ';']] : []),
  (node) => (ts.isReturnStatement(node) && node.expression ? [['return', node.expression, () => NOTHING]] : []),
  (node) => (isFunctionBody(node) ? [['early return', startOf(node), () => ` return ${NOTHING};`]] : []),
  (node) => (ts.isNumericLiteral(node) ? [['number', node, (text) => (text === '0' ? '1' : `(${text} + 1)`)]] : []),
  (node) => (ts.isStringLiteral(node) ? [['string', node, () => (node.text === '' ? "'mutant'" : "''")]] : []),
  (node) => (ts.isTemplateExpression(node) ? [['string', node, () => "''"]] : []),
  (node) => (node.kind === Kind.TrueKeyword ? [['boolean', node, () => 'false']] : []),
  (node) => (node.kind === Kind.FalseKeyword ? [['boolean', node, () => 'true']] : []),
  (node) => (ts.isArrayLiteralExpression(node) ? node.elements.map((one) => ['element', spanOf(one), () => '']) : []),
]

/** Every mutant of a source file: which kind, where, and what takes the place of which text. */
export function mutantsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found = []
  const visit = (node) => {
    if (isOutOfPlay(node)) return
    for (const [kind, place, change] of operators.flatMap((operator) => operator(node))) {
      const start = place.start ?? place.getStart()
      const end = place.start === undefined ? place.getEnd() : place.end
      const { line } = source.getLineAndCharacterOfPosition(start)
      found.push({ file, kind, line: line + 1, start, end, replacement: change(text.slice(start, end)) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Types, imports and names are what the compiler looks at; what a program does stands elsewhere. */
function isOutOfPlay(node) {
  return (
    ts.isTypeNode(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node)
  )
}

function conditionOf(node) {
  if (ts.isConditionalExpression(node)) return node.condition
  return ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node) ? node.expression : undefined
}

function isNot(node) {
  return ts.isPrefixUnaryExpression(node) && node.operator === Kind.ExclamationToken
}

function isCallStatement(node) {
  if (!ts.isExpressionStatement(node)) return false
  const { expression } = node
  const inner = ts.isAwaitExpression(expression) || ts.isVoidExpression(expression) ? expression.expression : expression
  return ts.isCallExpression(inner)
}

function isFunctionBody(node) {
  const [first] = ts.isBlock(node) && ts.isFunctionLike(node.parent) ? node.statements : []
  return first !== undefined && !ts.isReturnStatement(first)
}

function startOf(block) {
  return { start: block.getStart() + 1, end: block.getStart() + 1 }
}

/** An element with the comma after it. */
function spanOf(element) {
  const [comma] = /^\s*,/.exec(element.getSourceFile().text.slice(element.getEnd())) ?? ['']
  return { start: element.getStart(), end: element.getEnd() + comma.length }
}
