/**
 * The page as it came is painted before the code of the site runs: on a slow phone that is the better part of two
 * seconds. It is not fetched before either: page, styles and the first picture have a slow line for themselves.
 */
requestAnimationFrame(() => setTimeout(() => void import('./main.tsx'), 0))
