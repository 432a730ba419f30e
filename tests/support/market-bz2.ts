/** The text of `winMarket()` as `bzip2 -9` compresses it: no library of ours compresses it. */
export const WIN_MARKET_BZ2 = Buffer.from(
  [
    'QlpoOTFBWSZTWbtR8kgADLBfgGgQUAf/8D//3Zo//986UAX+DyAAUohEqSe45hMAmAEwmE0wAACZNNAxzCYBMAJhMJpgAAEy',
    'aaBiJhU9IAaABkGgGIaaaAMhkCapSGkanpT2o9Sek0008pk0DQDQAAxApSQQiT1NEemmI0T1HpGjammmTR6EYmmncj9Y++fW',
    '/F9j8J/qcP0fk+ucRvPynmnlnsn1TpPTOk8fPo+Lt8fp6/J0O3iPX831ZazLNYZhmGZeE+aesl/x8MeeayjU0ZMeeTZmCwyY',
    'YYZWfBGTzTU8yrmmpkVn5xvVpczU0yZK5n3hzb2OKyWlquS4Ir2w9AxYKxWWGMYYYsMWGLDCVorItFZUra6eDWaPE1q2fsno',
    'eh6Hoeh61dZk1MTpOZzOZxPinSdeeeed9999286cMxwzHDMcN9aczrV6j1MtTl1dXV1dnKdpkerGZmdcxlDeTfDDJpNT7pwK',
    '6UeKjmjPl+XWtbv5tZtvv3NZtnHGuMjXadEd2U3VZIynko0jt4eHf4b7XdHz0dpzOtGsmUdaMkfPRtK1n8Z4sPEmwybRgl2c',
    '0fPO5Nt4/yd8ZV0nhnZxMjx7Uao96amsxvMjjf3e3bbwx34umuJ22dpke7Ro6c4LfZ387NkyOnPf38Uao6jW7x60tumadd5v',
    'Rh0442uFh4u+cRz4s0cWudHE44jiyrcdI2unWc78XVId1GVUb1cmoV4PpnxTZsz2SY9M9c+2fyn5npnadHtk+jD+h7T2bnau',
    'pb10QwdZ+0+FLatVxW49W+tL1L3z+s2fbNjw13TpHtn3H0TZ5THuJyq7TY8J4p5Z0nro8cn0ztOr8ZpPdk6G8/tecrzJelLl',
    'L9Yaw9leW6JuLxLF96fC/xPebPNPaT2z0Phj1T4KH8E5nvT8U6NE2jVd08E3jeMnxzJyq6PzjzphDirpMfpOVW05dZ3mTJhb',
    'FyWi9i7lpMW6WrWx/DUrGLcvCsWxd9bh3XNc61XBYu9D36XrXVLav6U4Lav+uwdC8y+Kdi4LitUV5LmuiXzS3LLctF2r51ov',
    'BDsXBaQ96HfGovMfuT3mnX4mexqeRPLPfjlbp41H2TeNE+OYjicJkOyrU0nwHpTZgc2Y2nhN58k+dO0OJ0mTE6uct46VuRYs',
    'Wq7VxXGXhWb1mxede1b1daxboaw8UN653krrXJW8tbFjJjJjJjFiexNpkyanaczKtbbDlcl6Lbbi8cNYbFNZajZDuFzMnZxQ',
    '8E866zU5Ve4TibtqHuzYGp8Md9XkE6qtJqd1DqmxaL0reuK4LLbDjLS8ENIruqcF0nVdK7xV03CGq41MXrWi5HUvGsQ6T9VX',
    'zPI5PCr3J0B7k7pk9VXE/U/7FnvzA1VfrH5R3D24/DWn4a08+asz6xMVEMYnGSayMPJJOIw9EjCGgDPEB6BTUpbFJZiaw3F3',
    'JFOFCQu1HySA',
  ].join(''),
  'base64',
)

/** 45 million bytes that are 0, as `bzip2 -9` compresses them: one block. */
export const ZEROS_BZ2 = Buffer.from(
  'QlpoOTFBWSZTWckBtsgBWKtAIMAAEAAACCAAMMwFKaZSSFJsVJIUni7kinChIZIDbZA=',
  'base64',
)
