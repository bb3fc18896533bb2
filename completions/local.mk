# Shell completions, each where its shell looks without being told.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA =
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA =
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA =
