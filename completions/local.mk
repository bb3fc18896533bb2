# Shell completions, each where its shell looks without being told.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = completions/cordon
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = completions/_cordon
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = completions/cordon.fish
