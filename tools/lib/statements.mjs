import { join, relative } from 'node:path'
import ts from 'typescript'

const DATABASE = 'server/db/database.ts'
/** A statement whose parts have several values is read in at most so many of its forms. */
const MOST_FORMS = 24
const DEEPEST = 12
/** The functions of `server/db/database.ts` that run a statement, with the position of its text. */
const RUNNERS = { rows: 0, first: 1, allValues: 1, firstValue: 1, isAny: 1 }

/**
 * The SQL statements of the server's sources that can be read without running them, with the columns that their rows
 * are declared to have. `unread` are the places whose statements are put together at run time. Calls of `functions`, by
 * name, are carried out.
 */
export function readStatements(root, config, functions = {}) {
  const { config: json } = ts.readConfigFile(config, ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(json, ts.sys, join(root, 'server'))
  const program = ts.createProgram(fileNames, {
    ...options,
    noEmit: true,
    composite: false,
    incremental: false,
  })
  const reader = new Reader(program, functions, join(root, 'server/'))
  const statements = []
  const unread = []
  for (const [call, text] of reader.runs) {
    const file = call.getSourceFile()
    const place = `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(call.getStart()).line + 1}`
    const forms = text && reader.formsOf(text)
    if (!forms) unread.push(place)
    else for (const sql of new Set(forms)) statements.push({ place, sql, columns: reader.columnsOf(call) })
  }
  return { statements, unread }
}

/** Reads constant texts and declared rows with the type checker. */
class Reader {
  constructor(program, functions, folder) {
    this.functions = functions
    this.checker = program.getTypeChecker()
    /** Calls by the symbol of what is called. */
    this.calls = new Map()
    /** Calls that run a statement, with the text of the statement. */
    this.runs = []
    for (const file of program.getSourceFiles())
      if (file.fileName.startsWith(folder) && !file.isDeclarationFile) this.collect(file)
  }

  collect(node) {
    if (ts.isCallExpression(node)) {
      // Methods are left out: to know them, the types of every chain of calls would be found out.
      const called = ts.isIdentifier(node.expression) && this.symbolOf(node.expression)
      if (called) this.calls.set(called, [...(this.calls.get(called) ?? []), node])
      const runner = this.runnerOf(node)
      if (runner && !node.getSourceFile().fileName.endsWith(DATABASE))
        this.runs.push([node, node.arguments[RUNNERS[runner]]])
    }
    ts.forEachChild(node, (child) => this.collect(child))
  }

  /** Which of `RUNNERS` is called, if any. */
  runnerOf(call) {
    const name = ts.isPropertyAccessExpression(call.expression) ? call.expression.name : call.expression
    if (!ts.isIdentifier(name) || !(name.text in RUNNERS)) return undefined
    const { declaration } = this.checker.getResolvedSignature(call) ?? {}
    return declaration?.getSourceFile().fileName.endsWith(DATABASE) ? name.text : undefined
  }

  symbolOf(node) {
    const symbol = this.checker.getSymbolAtLocation(node)
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol
  }

  /** The forms that a text may have, or `null` if it is known only at run time. */
  formsOf(node) {
    const forms = []
    /** The choices of a form in the order in which they were met, each among so many. */
    this.path = []
    do {
      this.met = new Map()
      const form = this.text(node, new Map(), 0)
      if (form === null) return null
      forms.push(form)
      while (this.path.length > 0 && this.path.at(-1).at === this.path.at(-1).of - 1) this.path.pop()
      if (this.path.length > 0) this.path.at(-1).at += 1
    } while (this.path.length > 0 && forms.length < MOST_FORMS)
    return forms
  }

  /** Chooses an option, the same for one key within a form. */
  choose(key, options) {
    if (options.length < 2) return options[0] ?? null
    if (!this.met.has(key)) {
      const depth = this.met.size
      this.path[depth] ??= { at: 0, of: options.length }
      this.met.set(key, this.path[depth])
    }
    return options[this.met.get(key).at]
  }

  /** A text, or `null` if it is known only at run time. */
  text(node, bound, depth) {
    if (depth > DEEPEST) return null
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
      return this.text(node.expression, bound, depth)
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text
    if (ts.isTemplateExpression(node)) return this.template(node, bound, depth)
    if (ts.isConditionalExpression(node))
      return this.text(this.choose(node, [node.whenTrue, node.whenFalse]), bound, depth + 1)
    const found = ts.isIdentifier(node)
      ? this.named(node, bound, depth + 1)
      : ts.isCallExpression(node)
        ? this.called(node, bound, depth + 1)
        : this.member(node, bound, depth + 1)
    return found ?? this.literal(node)
  }

  template(node, bound, depth) {
    const parts = node.templateSpans.flatMap(({ expression, literal }) => [
      this.text(expression, bound, depth + 1),
      literal.text,
    ])
    return parts.includes(null) ? null : [node.head.text, ...parts].join('')
  }

  /** A value of a type that is a union of literals. */
  literal(node) {
    const type = this.checker.getTypeAtLocation(node)
    const members = type.isUnion() ? type.types : [type]
    if (!members.every((member) => member.isLiteral())) return null
    return String(this.choose(this.symbolOf(node) ?? node, members).value)
  }

  named(node, bound, depth) {
    const symbol = this.symbolOf(node)
    const given = symbol && bound.get(symbol)
    if (given) return this.text(given.node, given.bound, depth)
    const declaration = symbol?.valueDeclaration
    if (!declaration) return null
    if (ts.isParameter(declaration)) return this.literal(node) ?? this.argument(declaration, depth)
    if (ts.isBindingElement(declaration)) return this.element(declaration, bound, depth)
    if (!ts.isVariableDeclaration(declaration)) return null
    if (ts.isForOfStatement(declaration.parent.parent)) {
      const list = this.list(declaration.parent.parent.expression)
      return list && this.text(this.choose(symbol, list), bound, depth)
    }
    const isConstant = declaration.parent.flags & ts.NodeFlags.Const
    return isConstant && declaration.initializer ? this.text(declaration.initializer, bound, depth) : null
  }

  /** What one of the callers of a function passes as a parameter. */
  argument(parameter, depth) {
    const owner = parameter.parent
    const name = owner.name ?? (ts.isVariableDeclaration(owner.parent) ? owner.parent.name : undefined)
    const calls = name && this.calls.get(this.symbolOf(name))
    const call = calls && this.choose(parameter, calls)
    const given = call && (call.arguments[owner.parameters.indexOf(parameter)] ?? parameter.initializer)
    return given ? this.text(given, new Map(), depth) : null
  }

  /** An element of an array that is taken apart: `const [condition] = isComing ? [COMING, day] : …`. */
  element(element, bound, depth) {
    const { parent } = element
    const source = parent.parent.initializer
    const list = ts.isArrayBindingPattern(parent) && source && this.list(source)
    const value = list && list[parent.elements.indexOf(element)]
    return value ? this.text(value, bound, depth) : null
  }

  /** The elements of a constant list. */
  list(node) {
    if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) return this.list(node.expression)
    if (ts.isArrayLiteralExpression(node)) return [...node.elements]
    if (ts.isConditionalExpression(node)) return this.list(this.choose(node, [node.whenTrue, node.whenFalse]))
    const declared = ts.isIdentifier(node) && this.symbolOf(node)?.valueDeclaration
    return declared && ts.isVariableDeclaration(declared) && declared.initializer
      ? this.list(declared.initializer)
      : null
  }

  /** The result of a function that only puts a text together. */
  called(node, bound, depth) {
    const { expression } = node
    if (ts.isPropertyAccessExpression(expression))
      return expression.name.text === 'join' ? this.joined(node, bound, depth) : null
    const known = ts.isIdentifier(expression) && this.functions[expression.text]
    if (known) {
      const values = node.arguments.map((argument) => this.text(argument, bound, depth))
      return values.includes(null) ? null : known(...values)
    }
    const owner = this.functionOf(expression)
    const result = owner && owner.body && resultOf(owner.body)
    if (!result) return null
    const inner = new Map(bound)
    for (const [at, parameter] of owner.parameters.entries()) {
      const value = node.arguments[at] ?? parameter.initializer
      if (value && ts.isIdentifier(parameter.name))
        inner.set(this.symbolOf(parameter.name), { node: value, bound })
    }
    return this.text(result, inner, depth)
  }

  /** The function that a name stands for; `null` if it is none. */
  functionOf(expression) {
    const declaration = this.symbolOf(expression)?.valueDeclaration
    const owner =
      declaration && (ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration)
    return owner && ts.isFunctionLike(owner) ? owner : null
  }

  /** `LIST.join(', ')` of a constant list. */
  joined(node, bound, depth) {
    const list = this.list(node.expression.expression)
    const separator = node.arguments[0] && this.text(node.arguments[0], bound, depth)
    const texts = list?.map((element) => this.text(element, bound, depth))
    return !texts || texts.includes(null) || separator === null ? null : texts.join(separator)
  }

  /** A property of a constant object: `SUBJECT[subject]`. */
  member(node, bound, depth) {
    if (!ts.isElementAccessExpression(node) && !ts.isPropertyAccessExpression(node)) return null
    const declared = this.symbolOf(node.expression)?.valueDeclaration
    const object =
      declared && ts.isVariableDeclaration(declared) && declared.initializer && bare(declared.initializer)
    if (!object || !ts.isObjectLiteralExpression(object)) return null
    const properties = object.properties.filter(ts.isPropertyAssignment)
    const name = ts.isPropertyAccessExpression(node)
      ? node.name.text
      : this.text(node.argumentExpression, bound, depth)
    const property =
      name === null ? this.choose(node, properties) : properties.find((each) => each.name.text === name)
    return property ? this.text(property.initializer, bound, depth) : null
  }

  /**
   * The kinds of each column of the declared row, or of its only column, `*`; `null` if the row has no declared columns.
   */
  columnsOf(call) {
    const runner = this.runnerOf(call)
    const promise = this.checker.getTypeAtLocation(call)
    const [result] = this.checker.getTypeArguments(promise)
    if (!result || runner === 'isAny') return null
    const [row] =
      runner === 'rows' || runner === 'allValues'
        ? this.checker.getTypeArguments(result)
        : [this.checker.getNonNullableType(result)]
    if (!row || row.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return null
    if (runner === 'allValues' || runner === 'firstValue') return { '*': this.kindsOf(row) }
    if (this.checker.getIndexInfosOfType(row).length > 0) return null
    const columns = {}
    for (const property of this.checker.getPropertiesOfType(row))
      columns[property.name] = this.kindsOf(this.checker.getTypeOfSymbol(property))
    return columns
  }

  kindsOf(type) {
    const members = type.isUnion() ? type.types : [type]
    const kinds = members
      .filter(({ flags }) => !(flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)))
      .map((member) => this.kindOf(member))
    return [...new Set(kinds)]
  }

  kindOf(type) {
    if (type.flags & ts.TypeFlags.StringLike) return 'string'
    if (type.flags & ts.TypeFlags.NumberLike) return 'number'
    if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean'
    if (this.checker.isArrayType(type)) return 'array'
    if (/^(Uint8Array|Buffer)/.test(type.symbol?.name ?? '')) return 'bytes'
    return 'json'
  }
}

const bare = (node) =>
  ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)
    ? bare(node.expression)
    : node

/** What a function returns that does nothing else. */
function resultOf(body) {
  if (!ts.isBlock(body)) return body
  const [only] = body.statements
  return body.statements.length === 1 && ts.isReturnStatement(only) ? only.expression : undefined
}
